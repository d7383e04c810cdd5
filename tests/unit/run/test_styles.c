/* What each style of output means, and what only looks like one. */
#include "metric_lines.h"

#include <string.h>

#define NO ((double)NAN)

struct expected {
    const char *line, *style;
    double step, steps, epoch, epochs, loss, eval_loss, rate, left_s;
    bool evaluated;
};

#define STEP(a, b) .step = (a), .steps = (b)
#define EPOCH(a, b) .epoch = (a), .epochs = (b)
#define LOSS(a, b) .loss = (a), .eval_loss = (b)
#define RATE(a, b) .rate = (a), .left_s = (b)

static void check(const struct expected *e)
{
    struct metric_update u;

    if (!read_line(e->line, &u))
        fail_msg("nothing was read from: %s", e->line);
    if (u.style == NULL || strcmp(u.style, e->style) != 0)
        fail_msg("style '%s' instead of '%s': %s", u.style, e->style, e->line);
    same_or_none(u.step, e->step, "step", e->line);
    same_or_none(u.steps, e->steps, "steps", e->line);
    same_or_none(u.epoch, e->epoch, "epoch", e->line);
    same_or_none(u.epochs, e->epochs, "epochs", e->line);
    same_or_none(u.loss, e->loss, "loss", e->line);
    same_or_none(u.eval_loss, e->eval_loss, "eval_loss", e->line);
    same_or_none(u.rate, e->rate, "rate", e->line);
    same_or_none(u.left_s, e->left_s, "left_s", e->line);
    if (u.evaluated != e->evaluated)
        fail_msg("evaluated is %d: %s", u.evaluated, e->line);
}

static void check_all(const struct expected *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&list[i]);
}

static void reads_tqdm(void **state)
{
    static const struct expected lines[] = {
        {" 45%|████▌     | 450/1000 [00:12<00:15, 36.2it/s, loss=0.123]", "tqdm",
         STEP(450, 1000), EPOCH(NO, NO), LOSS(0.123, NO), RATE(36.2, 15), false},
        {"\r 45%|####5     | 450/1000 [00:12<00:15,  2.50s/it]", "tqdm", STEP(450, 1000),
         EPOCH(NO, NO), LOSS(NO, NO), RATE(0.4, 15), false},
        {"  0%|          | 0/1000 [00:00<?, ?it/s]", "tqdm", STEP(0, 1000), EPOCH(NO, NO),
         LOSS(NO, NO), RATE(NO, NO), false},
        {"450it [00:12, 36.20it/s]", "tqdm", STEP(450, NO), EPOCH(NO, NO), LOSS(NO, NO),
         RATE(36.2, NO), false},
        {"Epoch 3/10:  45%|████▌     | 450/1000 [00:12<00:15, 36.2it/s]", "tqdm",
         STEP(450, 1000), EPOCH(3, 10), LOSS(NO, NO), RATE(36.2, NO), false},
        {"train: 12%|█▏| 1.20k/10.0k [1:02:03<2 days, 2:03:04, 1.50kit/s, loss=nan]", "tqdm",
         STEP(1200, 10000), EPOCH(NO, NO), LOSS(NO, NO), RATE(1500, 180184), false},
        {"Epoch:  30%|███       | 3/10 [01:00<02:20, 20.00s/it]", "tqdm", STEP(NO, NO),
         EPOCH(3, 10), LOSS(NO, NO), RATE(NO, NO), false},
        {"\033[32m[rank0]:\033[0m  45%|███| 450/1000 [00:12<00:15, 36.2batch/s, loss=1.5e-2]",
         "tqdm", STEP(450, 1000), EPOCH(NO, NO), LOSS(0.015, NO), RATE(36.2, 15), false},
        {"old text\r 46%|████▌     | 460/1000 [00:12<00:15, 36.2it/s]", "tqdm", STEP(460, 1000),
         EPOCH(NO, NO), LOSS(NO, NO), RATE(36.2, 15), false},
        {"Training on 1B tokens:  50%|█████     | 5/10 [00:01<00:01, 5.0it/s]", "tqdm",
         STEP(5, 10), EPOCH(NO, NO), LOSS(NO, NO), RATE(5, 1), false},
        {"Evaluating:  50%|█████     | 5/10 [00:01<00:01, 5.0it/s]", "tqdm", STEP(NO, NO),
         EPOCH(NO, NO), LOSS(NO, NO), RATE(NO, NO), true},
    };

    (void)state;
    check_all(lines, ARRAY_LEN(lines));
}

static void reads_hugging_face(void **state)
{
    static const struct expected lines[] = {
        {"{'loss': 2.31, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.52}",
         "hugging-face", STEP(NO, NO), EPOCH(0.52, NO), LOSS(2.31, NO), RATE(NO, NO), false},
        {"{'loss': '2.31', 'grad_norm': '1.2', 'epoch': '0.52'}", "hugging-face", STEP(NO, NO),
         EPOCH(0.52, NO), LOSS(2.31, NO), RATE(NO, NO), false},
        {"{'eval_loss': 2.1, 'eval_runtime': 3.2, 'eval_samples_per_second': 31.2, "
         "'eval_steps_per_second': 4, 'epoch': 1.0}",
         "hugging-face", STEP(NO, NO), EPOCH(1, NO), LOSS(NO, 2.1), RATE(NO, NO), true},
        {"{'train_runtime': 100.0, 'train_samples_per_second': 64.0, "
         "'train_steps_per_second': 8.0, 'train_loss': 1.9, 'epoch': 3.0}",
         "hugging-face", STEP(NO, NO), EPOCH(3, NO), LOSS(NO, NO), RATE(8, NO), false},
        {" 10%|█         | 50/500 [00:10<01:30,  5.00it/s]{'loss': 1.2, 'epoch': 0.1}",
         "hugging-face", STEP(50, 500), EPOCH(0.1, NO), LOSS(1.2, NO), RATE(5, 90), false},
        {"{'loss': tensor(2.31, device='cuda:0'), 'step': 7}", "hugging-face", STEP(7, NO),
         EPOCH(NO, NO), LOSS(2.31, NO), RATE(NO, NO), false},
        {"  Total optimization steps = 12,345", "pairs", STEP(NO, 12345), EPOCH(NO, NO),
         LOSS(NO, NO), RATE(NO, NO), false},
        {"  Num Epochs = 3", "pairs", STEP(NO, NO), EPOCH(NO, 3), LOSS(NO, NO), RATE(NO, NO),
         false},
        {"***** Running Evaluation *****", "words", STEP(NO, NO), EPOCH(NO, NO), LOSS(NO, NO),
         RATE(NO, NO), true},
    };

    (void)state;
    check_all(lines, ARRAY_LEN(lines));
}

static void reads_lightning_and_kohya(void **state)
{
    static const struct expected lines[] = {
        {"Epoch 3:  45%|████▌     | 450/1000 [00:12<00:15, 36.20it/s, v_num=0, "
         "train_loss=0.120]",
         "lightning", STEP(450, 1000), EPOCH(3, NO), LOSS(0.12, NO), RATE(36.2, NO), false},
        {"Epoch 0/9:  45%|████▌     | 450/1000 [00:12<00:15, 36.20it/s, v_num=0, "
         "train_loss_step=0.2, train_loss_epoch=0.3]",
         "lightning", STEP(450, 1000), EPOCH(0, 9), LOSS(0.2, NO), RATE(36.2, NO), false},
        {"Validation DataLoader 0:  20%|██        | 2/10 [00:00<00:01, 5.0it/s]", "lightning",
         STEP(NO, NO), EPOCH(NO, NO), LOSS(NO, NO), RATE(NO, NO), true},
        {"Sanity Checking DataLoader 0: 100%|██████████| 2/2 [00:00<00:00, 5.0it/s]",
         "lightning", STEP(NO, NO), EPOCH(NO, NO), LOSS(NO, NO), RATE(NO, NO), true},
        {"steps:  12%|█▏        | 120/1000 [01:02<07:33,  1.94it/s, avr_loss=0.0892]", "kohya",
         STEP(120, 1000), EPOCH(NO, NO), LOSS(0.0892, NO), RATE(1.94, 453), false},
        {"epoch 2/10", "pairs", STEP(NO, NO), EPOCH(2, 10), LOSS(NO, NO), RATE(NO, NO), false},
    };

    (void)state;
    check_all(lines, ARRAY_LEN(lines));
}

static void reads_deepspeed_and_megatron(void **state)
{
    static const struct expected lines[] = {
        {"[2024-05-01 10:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=100, "
         "skipped=0, lr=[1e-05, 1e-05], mom=[(0.9, 0.95)]",
         "deepspeed", STEP(100, NO), EPOCH(NO, NO), LOSS(NO, NO), RATE(NO, NO), false},
        {"steps: 100 loss: 2.3000 iter time (s): 0.500 samples/sec: 16.000", "deepspeed",
         STEP(100, NO), EPOCH(NO, NO), LOSS(2.3, NO), RATE(2, NO), false},
        {" iteration      100/  500000 | consumed samples:        25600 | elapsed time per "
         "iteration (ms): 500.0 | learning rate: 1.000E-04 | global batch size:   256 | lm "
         "loss: 2.345E+00 | loss scale: 4096.0 | grad norm: 1.234 | number of skipped "
         "iterations:   0 | number of nan iterations:   0 |",
         "megatron", STEP(100, 500000), EPOCH(NO, NO), LOSS(2.345, NO), RATE(2, NO), false},
    };
    struct metric_update u;

    (void)state;
    check_all(lines, ARRAY_LEN(lines));
    assert_true(read_line(lines[1].line, &u));
    assert_near(u.samples_rate, 16, 0);
    assert_true(read_line(lines[2].line, &u));
    assert_near(u.samples, 25600, 0);
    assert_near(metric_value(&u, STR("loss_scale")), 4096, 0);
    assert_near(metric_value(&u, STR("grad_norm")), 1.234, 1e-12);
}

static void flops_utilization_is_read(void **state)
{
    struct metric_update u;

    (void)state;
    assert_true(read_line("iter 100: loss 2.3000, time 50.00ms, mfu 0.50%", &u));
    assert_near(metric_value(&u, STR("mfu")), 0.005, 1e-12);
}

static void reads_names_and_numbers(void **state)
{
    static const struct expected lines[] = {
        {"step 100 loss 2.3", "pairs", STEP(100, NO), EPOCH(NO, NO), LOSS(2.3, NO),
         RATE(NO, NO), false},
        {"epoch 3 step 200: train_loss=1.2 val_loss=1.4", "pairs", STEP(200, NO), EPOCH(3, NO),
         LOSS(1.2, 1.4), RATE(NO, NO), false},
        {"Train Epoch: 1 [640/60000 (1%)]\tLoss: 0.3", "pytorch", STEP(640, 60000),
         EPOCH(1, NO), LOSS(0.3, NO), RATE(NO, NO), false},
        {"Epoch: [0][  10/5005]\tTime  0.250 ( 0.300)\tLoss 6.9e+00 (7.0e+00)\tAcc@1  0.1",
         "pytorch", STEP(10, 5005), EPOCH(0, NO), LOSS(6.9, NO), RATE(NO, NO), false},
        {"Test set: Average loss: 0.0512, Accuracy: 9832/10000 (98%)", "pairs", STEP(NO, NO),
         EPOCH(NO, NO), LOSS(NO, 0.0512), RATE(NO, NO), true},
        {"iter 100: loss 2.3000, time 50.00ms, mfu 12.30%", "pairs", STEP(100, NO),
         EPOCH(NO, NO), LOSS(2.3, NO), RATE(20, NO), false},
        {"step 250: train loss 1.9000, val loss 2.0000", "pairs", STEP(250, NO), EPOCH(NO, NO),
         LOSS(1.9, 2), RATE(NO, NO), false},
        {"2024-05-01 10:00:00,123 - INFO - trainer.py:57 - step 100/2000 loss: 2.5 lr: 1e-4",
         "pairs", STEP(100, 2000), EPOCH(NO, NO), LOSS(2.5, NO), RATE(NO, NO), false},
        {"INFO:root:[rank0] Step: 7, Loss: NaN", "pairs", STEP(7, NO), EPOCH(NO, NO),
         LOSS(NO, NO), RATE(NO, NO), false},
        {"Epoch 2/5", "pairs", STEP(NO, NO), EPOCH(2, 5), LOSS(NO, NO), RATE(NO, NO), false},
        {"val_accuracy: 0.91", "pairs", STEP(NO, NO), EPOCH(NO, NO), LOSS(NO, NO), RATE(NO, NO),
         true},
        {"step 1000/5000, tokens/sec: 12000, eta: 1:00:00", "pairs", STEP(1000, 5000),
         EPOCH(NO, NO), LOSS(NO, NO), RATE(NO, 3600), false},
        {"{\"step\": 10, \"train\": {\"loss\": 2.5}, \"val\": {\"loss\": 2.75}, \"n\": [1, 2]}",
         "json", STEP(10, NO), EPOCH(NO, NO), LOSS(2.5, 2.75), RATE(NO, NO), false},
    };
    struct metric_update u;

    (void)state;
    check_all(lines, ARRAY_LEN(lines));
    assert_true(read_line(lines[4].line, &u));
    assert_near(metric_value(&u, STR("accuracy")), 0.9832, 1e-12);
    assert_true(read_line(lines[8].line, &u));
    assert_true(u.has_loss && isnan(u.loss));
    assert_true(read_line("step 3 loss -inf", &u));
    assert_true(u.has_loss && isinf(u.loss));
}

static void reads_losses_that_are_not_finite(void **state)
{
    static const char *const lines[] = {
        "step 3 loss nan",
        "step 3 loss=NAN",
        "step 3 | loss -nan |",
        "step 3, loss: Infinity",
        "step 3 loss -Infinity",
        "step 3 loss: nan(0x8000000000000)",
        "step 3 loss: tensor(nan)",
        "step 3 loss: tensor(nan, device='cuda:0', grad_fn=<NllLossBackward0>)",
        "step 3 loss: tensor([nan])",
        "step 3 loss: np.float32(nan)",
        "step 3 loss: [inf]",
        "step 3 loss: Array(nan, dtype=float32)",
        "step 3 loss: <tf.Tensor: shape=(), dtype=float32, numpy=nan>",
        "step 3 loss tf.Tensor(nan, shape=(), dtype=float32)",
        "{'loss': nan, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.3}",
        "{'loss': 'nan', 'grad_norm': 'nan', 'learning_rate': '1e-05', 'epoch': '0.3'}",
        "{\"step\": 3, \"loss\": NaN}",
        "{\"step\": 3, \"loss\": \"NaN\"}",
        "{\"step\": 3, \"loss\": \"-Infinity\"}",
        "Epoch 3: 50%|#####     | 3/100 [00:01<00:01, 10.0it/s, loss=nan]",
        "Epoch 3/40 - loss: nan - accuracy: 0.1",
        "3/40 [=====>....] - ETA: 3s - loss: nan - acc: 0.1",
        " iteration 3/ 1000 | lm loss: nan | grad norm: 1.0",
        "step 3: train loss nan, val loss nan",
        "step 3 loss 1.#QNAN",
        "step 3 loss: 1.#QNAN0, lr 1e-4",
        "step 3 loss=-1.#IND00",
        "step 3 | loss 1.#INF |",
        "step 3 loss: NaN(ind)",
        "step 3 loss: -nan(ind) lr: 0.1",
        "step 3 loss nan, lr 1e-4",
        "step 3 loss: array(nan)",
        "step 3 loss: array(nan, dtype=float32)",
        "step 3 loss: np.nan",
        "step 3 loss: float('nan')",
        "step 3 loss: +Inf",
        "{'loss': array(nan, dtype=float32), 'step': 3}",
        "{'loss': np.nan, 'step': 3}",
        "{'loss': float('inf'), 'step': 3}",
        "{'loss': 1.#QNAN, 'step': 3}",
        "step 3 policy_loss 0.3 value_loss nan",
    };
    struct metric_update u;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        if (!read_line(lines[i], &u) || !u.has_loss || isfinite(u.loss))
            fail_msg("not read as a loss that is not finite: %s", lines[i]);
    }
    assert_true(read_line("step 3 loss: 1.5 name: 1.#2", &u));
    assert_near(u.loss, 1.5, 0);
    assert_true(read_line("step 3 loss: tensor(2.5, device='cuda:0')", &u));
    assert_near(u.loss, 2.5, 0);
    assert_near(u.step, 3, 0);
}

/* Terms beside the objective and losses of another time are none of training. */
static void terms_beside_the_loss_are_not_the_loss(void **state)
{
    static const char *const lines[] = {
        "step 3 kl_loss: nan",     "step 3 kl loss nan",       "step 3 train/kl_loss=nan",
        "{'aux_loss': nan}",       "step 3 kl_div_loss nan",   "step 3 router_z_loss: nan",
        "step 3 best_loss: inf",   "step 3 min loss: inf",     "step 3 best_train_loss inf",
        "step 3 entropy_loss nan", "step 3 reg_loss: nan",     "{\"kl_loss_mean\": NaN}",
        "step 3 val_kl_loss nan",  "step 3 loss_kl: nan",      "step 3 load_balancing_loss nan",
        "step 3 prev_loss nan",    "step 3 penalty loss: nan",
    };
    struct metric_update u;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        if (!read_line(lines[i], &u) || u.has_loss || u.has_eval_loss || u.own_loss ||
            u.named_count == 0)
            fail_msg("read as the loss: %s", lines[i]);
    }
    assert_true(read_line("step 3 cross_entropy_loss: nan", &u) && u.own_loss);
    assert_true(read_line("step 3 mse_loss: nan", &u) && u.own_loss);
    assert_true(metric_is_loss("kl_loss") && metric_is_loss("val_loss"));
    assert_false(metric_is_loss("grad_norm") || metric_is_loss("loss_scale"));
}

/* A part of the loss is taken for it until a line has the entire one. */
static void parts_count_until_the_entire_loss_is_seen(void **state)
{
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    assert_true(metric_line(reader, STR("step 1 vq_loss: nan"), &u));
    assert_true(u.has_loss && u.own_loss);
    assert_true(metric_line(reader, STR("step 2 total_loss: 1.5"), &u));
    assert_true(u.own_loss);
    assert_true(metric_line(reader, STR("step 3 vq_loss: nan"), &u));
    assert_true(u.has_loss && !u.own_loss);
    assert_true(metric_line(reader, STR("step 4 loss: nan vq_loss: 0.1"), &u));
    assert_true(u.own_loss && isnan(u.loss));
    metric_close(reader);
    arena_free(&arena);
}

static void reads_rows_of_ultralytics(void **state)
{
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    assert_false(metric_line(reader,
                             STR("      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  "
                                 "Instances       Size"),
                             &u));
    assert_true(
        metric_line(reader,
                    STR("      3/100      2.87G      1.234      2.345      1.125       "
                        "  16        640:  50%|█████     | 4/8 [00:02<00:02,  2.0it/s]"),
                    &u));
    assert_string_equal(u.style, "ultralytics");
    assert_near(u.epoch, 3, 0);
    assert_near(u.epochs, 100, 0);
    assert_near(u.step, 4, 0);
    assert_near(u.steps, 8, 0);
    assert_near(u.rate, 2, 0);
    assert_true(u.in_epoch && u.own_loss);
    assert_near(u.loss, 1.234, 0);
    assert_near(metric_value(&u, STR("gpu_mem")), 2.87e9, 1);
    assert_true(
        metric_line(reader,
                    STR("      4/100      2.87G      1.234        nan      1.125       "
                        "  16        640: 100%|██████████| 8/8 [00:02<00:00,  3.5it/s]"),
                    &u));
    assert_true(u.own_loss && isnan(u.loss));
    assert_false(metric_line(reader, STR("      4/100      2.87G      1.234"), &u));
    metric_close(reader);
    arena_free(&arena);
}

static void reads_keras(void **state)
{
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    assert_true(metric_line(reader, STR("Epoch 2/5"), &u));
    assert_near(u.epoch, 2, 0);
    assert_true(metric_line(reader,
                            STR(" 450/1000 [============>.................] - ETA: 12s - loss: "
                                "0.3 - accuracy: 0.9"),
                            &u));
    assert_string_equal(u.style, "keras");
    assert_true(u.in_epoch);
    assert_near(u.step, 450, 0);
    assert_near(u.steps, 1000, 0);
    assert_near(u.epoch, 2, 0);
    assert_near(u.epochs, 5, 0);
    assert_near(u.loss, 0.3, 0);
    assert_near(metric_value(&u, STR("accuracy")), 0.9, 0);
    assert_true(metric_line(
        reader,
        STR("\033[1m451/1000\033[0m \033[32m━━━━━\033[0m\033[37m━━━\033[0m \033[1m4s\033[0m "
            "8ms/step - accuracy: 0.91 - loss: 0.25"),
        &u));
    assert_string_equal(u.style, "keras");
    assert_near(u.step, 451, 0);
    assert_near(u.loss, 0.25, 0);
    assert_true(metric_line(reader,
                            STR("1000/1000 [==============================] - 20s 20ms/step - "
                                "loss: 0.2 - val_loss: 0.4"),
                            &u));
    assert_near(u.eval_loss, 0.4, 0);
    assert_near(u.step, 1000, 0);
    metric_close(reader);
    arena_free(&arena);
}

static void reads_tables(void **state)
{
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    assert_false(
        metric_line(reader, STR("epoch     train_loss  valid_loss  accuracy  time    "), &u));
    assert_true(
        metric_line(reader, STR("0         0.612345    0.512345    0.812     00:12   "), &u));
    assert_string_equal(u.style, "table");
    assert_near(u.epoch, 0, 0);
    assert_near(u.loss, 0.612345, 1e-12);
    assert_near(u.eval_loss, 0.512345, 1e-12);
    assert_near(metric_value(&u, STR("accuracy")), 0.812, 1e-12);
    assert_false(metric_line(reader, STR("1 2 3"), &u));
    metric_close(reader);
    arena_free(&arena);
}

/* None of these shows how far training is. */
static void other_lines_are_ignored(void **state)
{
    static const char *const lines[] = {
        "",
        "hello",
        "Downloading: 100%|██████████| 440M/440M [00:12<00:00, 36.2MB/s]",
        "model.safetensors:  45%|████▌     | 1.2G/4.9G [00:12<00:15, 200MB/s]",
        "Map:  45%|████▌     | 450/1000 [00:12<00:15, 36.2 examples/s]",
        "Tokenizing:  45%|████▌     | 450/1000 [00:12<00:15, 36.2it/s]",
        "Generating train split: 450 examples [00:12, 36.2 examples/s]",
        "Loading checkpoint shards: 100%|██████████| 3/3 [00:12<00:00, 4.1s/it]",
        "Step 3/7 : RUN apt-get install -y python3",
        "Step 2: Building wheel for tokenizers",
        "There was a loss of 3 packets",
        "packet loss: 3%",
        "the epoch began in 1970",
        "172.17.0.1 - - [01/May/2024:10:00:00 +0000] \"GET /steps/3?x=1 HTTP/1.1\" 200 512",
        "accuracy of 3 of 10 people",
        "save_steps=500, logging_steps=10, eval_steps=500, warmup_steps=100, batch size 32",
        "loss_scale: 65536",
        "{'a': }",
        "%|",
        "|%",
        "[",
        "45%|",
        "45%|###",
        "45%|###| 3",
        "45%|###| 3/",
        "45%|###| 3/5 [",
    };
    struct metric_update u;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        if (read_line(lines[i], &u) &&
            (!isnan(u.step) || !isnan(u.epoch) || !isnan(u.steps) || u.has_loss))
            fail_msg("style %s, step %g, epoch %g, loss %g from: %s", u.style, u.step, u.epoch,
                     u.loss, lines[i]);
    }
}

static void recognizes_checkpoints(void **state)
{
    static const struct {
        const char *line, *path;
    } cases[] = {
        {"Saving model checkpoint to out/checkpoint-500", "out/checkpoint-500"},
        {"saving checkpoint: ./output/last-step00000100.safetensors",
         "./output/last-step00000100.safetensors"},
        {"Model weights saved in out/checkpoint-500/model.safetensors",
         "out/checkpoint-500/model.safetensors"},
        {"INFO: saved checkpoint to 'runs/a/ckpt_3.pt'.", "runs/a/ckpt_3.pt"},
        {"Saving model...", ""},
    };
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(metric_line(reader, str_from(cases[i].line), &u));
        assert_true(u.saved);
        assert_str_equal(u.saved_path, cases[i].path);
    }
    metric_close(reader);
    arena_free(&arena);
}

/* The bars of Hugging Face have no titles: an evaluation's is recognized by its total. */
static void a_bar_inside_another_is_an_evaluation(void **state)
{
    static const struct {
        const char *line;
        double step;
        bool evaluated;
    } lines[] = {
        {"100%|██████████| 5/5 [00:01<00:00, 5.0it/s]", 5, false},
        {"  1%|▏         | 10/1000 [00:10<16:30,  1.00it/s]", 10, false},
        {" 10%|█         | 2/20 [00:01<00:09,  2.00it/s]", NO, true},
        {"100%|██████████| 2000/2000 [00:10<00:00,  200it/s]", NO, true},
        {"  2%|▏         | 20/1000 [00:20<16:20,  1.00it/s]", 20, false},
        {"100%|██████████| 1000/1000 [16:40<00:00,  1.00it/s]", 1000, false},
        {"100%|██████████| 20/20 [00:10<00:00,  2.00it/s]", NO, true},
        {"  0%|          | 1/1000 [00:01<16:39,  1.00it/s]", 1, false},
    };
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        assert_true(metric_line(reader, str_from(lines[i].line), &u));
        same_or_none(u.step, lines[i].step, "step", lines[i].line);
        assert_int_equal(u.evaluated, lines[i].evaluated);
    }
    metric_close(reader);
    arena_free(&arena);
}

/* Programs repeat the last val_loss while they train. The phase follows from the lines. */
static void a_line_of_training_may_repeat_the_last_evaluation(void **state)
{
    static const struct {
        const char *line;
        double eval_loss;
        bool evaluated;
    } lines[] = {
        {"Epoch 1:  45%|####5     | 450/1000 [00:12<00:15, 36.2it/s, v_num=0, val_loss=0.4]",
         0.4, false},
        {"Validation DataLoader 0:  20%|##        | 2/10 [00:00<00:01, 5.0it/s]", NO, true},
        {"Epochs:  30%|###       | 3/10 [00:12<00:15, 1.2s/it, val_acc=0.4]", NO, false},
        {"450/1000 [====>.....] - ETA: 12s - loss: 0.3 - val_loss: 0.5", 0.5, false},
        {"epoch 3 step 1200: train_loss=1.2 val_loss=1.4", 1.4, false},
        {"step 1250: train loss 1.9, val loss 2.0", 2, false},
        {"{\"step\": 1260, \"loss\": 1.9, \"eval_loss\": 2.5}", 2.5, false},
        {"{\"step\": 1260, \"eval_loss\": 2.25}", 2.25, true}, /* no step further */
        {"{\"step\": 1270, \"eval_loss\": 2.25}", 2.25, false},
        {"{'eval_loss': 2.1, 'epoch': 1.0}", 2.1, true},
        {"{'loss': 2.2, 'eval_loss': 2.1, 'epoch': 2.0}", 2.1, false},
        {"val_loss: 0.91", 0.91, true},
        {"epoch,step,train_loss,val_loss", NO, false},
        {"3,1300,1.9,2.0", 2, false},
    };
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    struct metric_update u;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        if (strncmp(lines[i].line, "epoch,", 6) == 0) {
            assert_false(metric_line(reader, str_from(lines[i].line), &u));
            continue;
        }
        assert_true(metric_line(reader, str_from(lines[i].line), &u));
        same_or_none(u.eval_loss, lines[i].eval_loss, "eval_loss", lines[i].line);
        if (u.evaluated != lines[i].evaluated)
            fail_msg("evaluated is %d: %s", u.evaluated, lines[i].line);
    }
    metric_close(reader);
    arena_free(&arena);
}

int group_styles(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_tqdm),
        cmocka_unit_test(reads_hugging_face),
        cmocka_unit_test(reads_lightning_and_kohya),
        cmocka_unit_test(reads_deepspeed_and_megatron),
        cmocka_unit_test(reads_names_and_numbers),
        cmocka_unit_test(reads_losses_that_are_not_finite),
        cmocka_unit_test(terms_beside_the_loss_are_not_the_loss),
        cmocka_unit_test(parts_count_until_the_entire_loss_is_seen),
        cmocka_unit_test(reads_rows_of_ultralytics),
        cmocka_unit_test(reads_keras),
        cmocka_unit_test(reads_tables),
        cmocka_unit_test(other_lines_are_ignored),
        cmocka_unit_test(recognizes_checkpoints),
        cmocka_unit_test(flops_utilization_is_read),
        cmocka_unit_test(a_bar_inside_another_is_an_evaluation),
        cmocka_unit_test(a_line_of_training_may_repeat_the_last_evaluation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
