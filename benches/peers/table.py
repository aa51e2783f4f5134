"""The results as Markdown."""

from statistics import median


def time(nanoseconds):
    for unit, size in [("ms", 1e6), ("µs", 1e3)]:
        if nanoseconds >= size:
            return f"{nanoseconds / size:#.4g}".rstrip(".") + f" {unit}"
    return f"{nanoseconds:.0f} ns"


def is_beyond(compared, limit):
    return not compared.row.differs and abs(median(compared.ratios()) - 1) * 100 > limit


def markdown(rows, limit):
    same = [compared for compared in rows if not compared.row.differs]
    beyond = sum(is_beyond(compared, limit) for compared in same)
    lines = [*heading(""), *(line(compared, beyond_or_not(compared, limit)) for compared in same)]
    lines += ["", f"{len(same) - beyond} of {len(same)} within {limit:g} %; a ratio is tlspair's time by the benchmark's own."]
    other = [compared for compared in rows if compared.row.differs]
    if other:
        lines += ["", "Not the same work, and not judged:", "", *heading("what differs")]
        lines += [line(compared, compared.row.differs) for compared in other]
    return "\n".join(lines)


def heading(last):
    first = f"| library | primitive | bytes | own benchmark | tlspair | ratio | of all rounds | {last} |"
    return [first, "|---|---|--:|--:|--:|--:|---|---|"]


def beyond_or_not(compared, limit):
    return f"beyond {limit:g} %" if is_beyond(compared, limit) else ""


def line(compared, remark):
    ratios = compared.ratios()
    cells = [
        compared.library,
        compared.row.name(),
        "" if compared.row.bytes is None else f"{compared.row.bytes:,}",
        time(median(compared.own)),
        time(median(compared.tlspair)),
        f"{median(ratios):.3f}",
        f"{min(ratios):.3f} to {max(ratios):.3f}",
        remark,
    ]
    return f"| {' | '.join(cells)} |"
