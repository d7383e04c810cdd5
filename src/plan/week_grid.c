/* Where grids are. The tables of carbon are in local solar time, which follows from the
 * longitude: a fact that needs no date, unlike what people's clocks show. */
#include "plan/week.h"

#include <math.h>

/* Of the places where its machines stand, about; degrees east. A name is a country, but for the
 * grids of North America, and sorted. */
static const struct {
    char grid[6];
    short degrees;
} grids[] = {
    {"AE", 55},     {"AR", -59},     {"AT", 16},     {"AU", 149},    {"AZPS", -112},
    {"BD", 90},     {"BE", 4},       {"BG", 23},     {"BH", 51},     {"BR", -46},
    {"CA", -79},    {"CA-AB", -114}, {"CA-ON", -79}, {"CA-QC", -73}, {"CAISO", -120},
    {"CH", 8},      {"CL", -71},     {"CN", 116},    {"CO", -74},    {"CZ", 14},
    {"DE", 9},      {"DK", 11},      {"EE", 25},     {"EG", 31},     {"ERCOT", -97},
    {"ES", -3},     {"FI", 25},      {"FR", 3},      {"GB", 0},      {"GR", 24},
    {"HK", 114},    {"HR", 16},      {"HU", 19},     {"ID", 107},    {"IE", -6},
    {"IL", 35},     {"IN", 77},      {"IS", -22},    {"IT", 10},     {"JP", 139},
    {"KE", 37},     {"KR", 127},     {"KZ", 77},     {"LT", 25},     {"LU", 6},
    {"LV", 24},     {"MA", -7},      {"MISO", -93},  {"MK", 21},     {"MX", -100},
    {"MY", 102},    {"NEVP", -115},  {"NG", 3},      {"NL", 5},      {"NO", 9},
    {"NWPP", -121}, {"NYISO", -74},  {"NZ", 175},    {"PACE", -110}, {"PE", -77},
    {"PH", 121},    {"PJM", -79},    {"PK", 73},     {"PL", 20},     {"PT", -9},
    {"QA", 51},     {"RO", 26},      {"RS", 20},     {"RU", 37},     {"SA", 46},
    {"SC", -80},    {"SE", 17},      {"SG", 104},    {"SI", 15},     {"SK", 17},
    {"SOCO", -84},  {"SPP", -95},    {"TH", 101},    {"TR", 29},     {"TW", 121},
    {"UA", 31},     {"US", -90},     {"VN", 106},    {"ZA", 26},
};

bool week_solar_offset(struct str grid, int *hours)
{
    for (size_t i = 0; i < ARRAY_LEN(grids); i++) {
        if (str_eq(grid, str_from(grids[i].grid))) {
            *hours = (int)lround(grids[i].degrees / 15.0);
            return true;
        }
    }
    return false;
}
