/* Lets a program see another time of day: the seconds in the file that KANON_OFFSET names are added to it.
   Preloaded (LD_PRELOAD). The clock that only measures how long is left alone, as when somebody sets a
   machine's clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long offset(void) {
  static __thread int reading = 0; /* reading a file may ask for the time */
  const char *name = getenv("KANON_OFFSET");
  long seconds = 0;
  if (reading || !name) return 0;
  reading = 1;
  FILE *file = fopen(name, "r");
  if (file) {
    if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    fclose(file);
  }
  reading = 0;
  return seconds;
}

int clock_gettime(clockid_t which, struct timespec *found) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(which, found);
  if (!failed && which == CLOCK_REALTIME) found->tv_sec += offset();
  return failed;
}

time_t time(time_t *found) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (found) *found = now.tv_sec;
  return now.tv_sec;
}
