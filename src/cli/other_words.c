/* Words that people type as commands, from other tools or from the subject, and what does it
 * here. */
#include "cli/cli.h"

const struct cli_other_word cli_other_words[] = {
    {"analyze", "'stint why RUN' explains a run's cost, 'stint advise' what to change"},
    {"autoscale",
     "'stint infer MODEL --traffic office' plans machines that come and go with the traffic"},
    {"autostop", "'stint run --idle 15min -- COMMAND' ends an idle run, 'stint watch' acts on "
                 "an idle machine"},
    {"bench", "'stint tune' measures batch sizes, 'stint run' any command"},
    {"benchmark", "'stint tune' measures batch sizes, 'stint run' any command"},
    {"billing", "'stint import FILE' adds a bill, 'stint costs' says where the money went"},
    {"calculate",
     "'stint estimate JOB' computes time, memory and cost, 'stint plan JOB' the cheapest way"},
    {"calculator",
     "'stint estimate JOB' computes time, memory and cost, 'stint plan JOB' the cheapest way"},
    {"cancel", "'stint stop RUN' asks a run to save and exit"},
    {"carbon", "'stint estimate JOB' prints it, 'stint region list' has the carbon of regions"},
    {"cheapest",
     "'stint plan JOB' finds the cheapest way, 'stint price list' the cheapest machines"},
    {"checkpoint",
     "'stint checkpoints list' lists them, 'stint checkpoints prune' removes the old ones"},
    {"co2", "'stint estimate JOB' prints it, 'stint region list' has the carbon of regions"},
    {"compress", "'stint infer MODEL --compression' compares quantization, pruning and "
                 "distillation, 'stint data bundle' packs a data set"},
    {"cost", "'stint estimate JOB' before a run, 'stint costs' afterwards"},
    {"dashboard", "'stint serve' has a page for a team, 'stint top' one in the terminal"},
    {"dataset",
     "'stint data manifest DIR' describes one, 'stint help data' has what makes it smaller"},
    {"deploy", "'stint infer MODEL --rate 10/s' compares ways to serve a model"},
    {"distill",
     "'stint infer MODEL --compression' compares quantization, pruning and distillation"},
    {"download", "'stint data sync SRC DST' makes a folder and another place equal"},
    {"emissions",
     "'stint estimate JOB' prints them, 'stint region list' has the carbon of regions"},
    {"energy", "'stint estimate JOB' prints it, 'stint show RUN' what a run took"},
    {"experiment", "'stint report --experiment DIR' reports on one, 'stint plan JOB JOB "
                   "--queue' orders several"},
    {"finetune", "'stint plan MODEL --method lora --tokens 10M' plans it"},
    {"fit", "'stint gpu fit MODEL' names the smallest GPUs that hold a model"},
    {"flops", "'stint estimate JOB --explain' has the arithmetic of a step"},
    {"fsdp", "'stint plan MODEL --set framework=fsdp' plans for it"},
    {"gpus",
     "'stint gpu list' lists accelerators, 'stint gpu fit MODEL' those that hold a model"},
    {"hpo", "'stint plan JOB --set trials=50' plans a hyperparameter search"},
    {"inference", "'stint infer MODEL --rate 10/s' compares ways to serve a model"},
    {"instances", "'stint price list' lists machines"},
    {"kill", "'stint stop RUN' asks a run to save and exit"},
    {"list", "'stint runs' lists runs, 'stint price list' prices"},
    {"login", "Stint has no accounts; 'stint init' writes your clouds, 'stint run --to URL' "
              "sends runs to a server"},
    {"logs", "'stint show RUN' shows what a run did"},
    {"lora", "'stint plan MODEL --method lora --tokens 10M' plans it"},
    {"memory", "'stint gpu fit MODEL' says what memory a model needs, 'stint estimate JOB' "
               "that of a job"},
    {"models", "'stint catalog show models' lists them"},
    {"monitor", "'stint top' shows runs as they go, 'stint watch' acts on an idle machine"},
    {"notebook", "'%load_ext stint' meters cells of a notebook (Python package)"},
    {"offline",
     "Stint works offline; 'stint price pack' brings prices to a machine without a network"},
    {"offset", "'stint estimate JOB' and 'stint report' have the price of an offset"},
    {"optimize", "'stint advise' says what to change and what it saves"},
    {"power", "'stint meters' shows what is measured, 'stint show RUN' what a run took"},
    {"predict", "'stint estimate JOB' before a run, 'stint forecast' for a month"},
    {"prices", "'stint price list' lists them"},
    {"profile",
     "'stint run -- COMMAND' measures phases, 'stint why RUN' explains a run's cost"},
    {"providers", "'stint catalog show providers' lists them"},
    {"prune", "'stint checkpoints prune' removes old checkpoints, 'stint infer MODEL "
              "--compression' compares pruned models"},
    {"ps", "'stint top' shows what runs, 'stint runs' everything that ran"},
    {"qlora", "'stint plan MODEL --method qlora --tokens 10M' plans it"},
    {"quantize",
     "'stint infer MODEL --compression' compares quantization, pruning and distillation"},
    {"queue",
     "'stint plan JOB JOB --queue' orders experiments by what they bring for their cost"},
    {"recommend", "'stint advise' says what to change, 'stint plan JOB' how to run a job"},
    {"regions", "'stint region list' lists regions by carbon, 'stint price regions INSTANCE' "
                "their prices"},
    {"resume", "'stint run --name NAME -- COMMAND' goes on with the run of that name"},
    {"rightsize", "'stint advise' finds machines that are too large, 'stint gpu fit MODEL' the "
                  "smallest that fit"},
    {"roofline", "'stint estimate JOB --explain' shows what bounds each part"},
    {"savings", "'stint advise' says what to change and what it saves"},
    {"schedule", "'stint plan slots' lists the cheapest hours ahead, 'stint plan JOB JOB "
                 "--session 8h' packs jobs"},
    {"scheduler", "'stint plan slots' lists the cheapest hours ahead, 'stint plan JOB JOB "
                  "--session 8h' packs jobs"},
    {"search", "'stint plan JOB --set trials=50' plans a hyperparameter search, 'stint plan "
               "JOB' searches machines"},
    {"setup", "'stint init' writes the configuration: clouds, currency, budget"},
    {"shutdown", "'stint watch' acts on an idle machine, 'stint run --on-exit COMMAND' when a "
                 "run has ended"},
    {"spend", "'stint costs' says where the money went"},
    {"spending", "'stint costs' says where the money went"},
    {"start", "'stint run -- COMMAND' runs a command under a meter"},
    {"status", "'stint runs' lists runs, 'stint top' shows those that go on"},
    {"submit", "'stint run -- COMMAND' runs a command under a meter"},
    {"sweep", "'stint estimate JOB --sweep batch=1..64' varies one setting, --set trials=50 "
              "plans a search"},
    {"tokens", "'stint plan MODEL --tokens 10M' plans a training on so many, 'stint token "
               "list' has those of the server"},
    {"train", "'stint plan JOB' finds the cheapest way, 'stint run -- COMMAND' runs it"},
    {"update", "'stint price fetch' gets current prices"},
    {"upgrade",
     "'stint price fetch' gets current prices; the program is upgraded as it was installed"},
    {"upload", "'stint data sync SRC DST' makes a folder and another place equal"},
    {"usage", "'stint costs' says where the money went, 'stint show RUN' what a run used"},
    {"users", "'stint costs --by user' divides costs by user, 'stint token add' gives one "
              "access to the server"},
    {"vram", "'stint gpu fit MODEL' says what memory a model needs, 'stint estimate JOB' that "
             "of a job"},
    {"waste", "'stint advise' says what to change and what it saves"},
    {"zero", "'stint estimate JOB --sweep zero=0..3' compares the stages"},
};
const size_t cli_other_word_count = ARRAY_LEN(cli_other_words);

/* Likewise as options: an option that does it, where the command has that. */
const struct cli_other_word cli_other_options[] = {
    {"accelerator", "gpu"},
    {"batch_size", "batch"},
    {"cloud", "provider"},
    {"cost", "budget"},
    {"hour_worth", "value_of_time"},
    {"images", "examples"},
    {"max_cost", "budget"},
    {"max_seq_length", "sequence"},
    {"samples", "examples"},
    {"seq_len", "sequence"},
    {"time", "deadline"},
    {"zone", "region"},
};
const size_t cli_other_option_count = ARRAY_LEN(cli_other_options);
