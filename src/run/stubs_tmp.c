#include "run/score.h"
#include "run/redact.h"
#include <math.h>
void score_add(struct score_keeper *k, const struct meter_sample *s, enum run_phase p, double c, double sec){(void)k;(void)s;(void)p;(void)c;(void)sec;}
double score_now(const struct score_keeper *k){(void)k;return NAN;}
double score_seed(const struct score_keeper *k){(void)k;return NAN;}
struct verdict score_verdict(double g,double m,double s){(void)g;(void)m;(void)s;return (struct verdict){"unknown",""};}
enum run_phase phase_see(struct phase_watch *w, const struct phase_sight *s, double sec){(void)w;(void)s;(void)sec;return PHASE_TRAIN;}
void redact_command(const char *const *argv, struct buf *out){for(;*argv;argv++){buf_adds(out,*argv);buf_char(out,' ');}}
