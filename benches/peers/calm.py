"""Whether other programs used the processor while something was measured: they slow one of two sides that are compared."""

import os
import resource
import time
from pathlib import Path

# Of one processor, in what others may use of it.
DISTURBED = 0.1


def calmest(measure, tries):
    """What `measure` answers, repeated so often until nobody disturbs it, or else at the calmest time."""
    attempts = []
    for _ in range(max(tries, 1)):
        before, started = used_by_others(), time.monotonic()
        answer = measure()
        share = (used_by_others() - before) / (time.monotonic() - started)
        attempts.append((share, answer))
        if share <= DISTURBED:
            break
    return min(attempts, key=lambda attempt: attempt[0])[1]


def used_by_others():
    """Seconds of all processors that neither this process nor those that it has waited for have used. Where the system
    does not tell, nobody disturbs."""
    try:
        counted = Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    except OSError:
        return 0.0
    user, nice, system, _idle, _waiting, interrupt, soft_interrupt, stolen = map(int, counted)
    busy = (user + nice + system + interrupt + soft_interrupt + stolen) / os.sysconf("SC_CLK_TCK")
    own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return busy - sum(usage.ru_utime + usage.ru_stime for usage in own)
