/* Words that people type as commands, from other tools or from the subject, and what does it
 * here. */
#include "cli/cli.h"

const struct cli_other_word cli_other_words[] = {
    {"analyze", "'stint why RUN' explains a run's cost, 'stint advise' what to change"},
    {"bench", "'stint tune' measures batch sizes, 'stint run' any command"},
    {"benchmark", "'stint tune' measures batch sizes, 'stint run' any command"},
    {"carbon", "'stint estimate JOB' prints it, 'stint region list' has the carbon of regions"},
    {"cheapest",
     "'stint plan JOB' finds the cheapest way, 'stint price list' the cheapest machines"},
    {"checkpoint",
     "'stint checkpoints list' lists them, 'stint checkpoints prune' removes the old ones"},
    {"cost", "'stint estimate JOB' before a run, 'stint costs' afterwards"},
    {"dashboard", "'stint serve' has a page for a team, 'stint top' one in the terminal"},
    {"energy", "'stint estimate JOB' prints it, 'stint show RUN' what a run took"},
    {"finetune", "'stint plan MODEL --method lora --tokens 10M' plans it"},
    {"fit", "'stint gpu fit MODEL' names the smallest GPUs that hold a model"},
    {"inference", "'stint infer MODEL --rate 10/s' compares ways to serve a model"},
    {"kill", "'stint stop RUN' asks a run to save and exit"},
    {"list", "'stint runs' lists runs, 'stint price list' prices"},
    {"logs", "'stint show RUN' shows what a run did"},
    {"lora", "'stint plan MODEL --method lora --tokens 10M' plans it"},
    {"models", "'stint catalog show models' lists them"},
    {"monitor", "'stint top' shows runs as they go, 'stint watch' acts on an idle machine"},
    {"optimize", "'stint advise' says what to change and what it saves"},
    {"prices", "'stint price list' lists them"},
    {"ps", "'stint top' shows what runs, 'stint runs' everything that ran"},
    {"qlora", "'stint plan MODEL --method qlora --tokens 10M' plans it"},
    {"queue",
     "'stint plan JOB JOB --queue' orders experiments by what they bring for their cost"},
    {"recommend", "'stint advise' says what to change, 'stint plan JOB' how to run a job"},
    {"resume", "'stint run --name NAME -- COMMAND' goes on with the run of that name"},
    {"roofline", "'stint estimate JOB --explain' shows what bounds each part"},
    {"savings", "'stint advise' says what to change and what it saves"},
    {"start", "'stint run -- COMMAND' runs a command under a meter"},
    {"status", "'stint runs' lists runs, 'stint top' shows those that go on"},
    {"train", "'stint plan JOB' finds the cheapest way, 'stint run -- COMMAND' runs it"},
    {"usage", "'stint costs' says where the money went, 'stint show RUN' what a run used"},
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
