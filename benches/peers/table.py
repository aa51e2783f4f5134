"""The results as Markdown."""


def time(nanoseconds):
    for unit, size in [("ms", 1e6), ("µs", 1e3)]:
        if nanoseconds >= size:
            return f"{nanoseconds / size:#.4g}".rstrip(".") + f" {unit}"
    return f"{nanoseconds:.0f} ns"


def ratio(compared):
    """Of the fastest round of each: whatever else the machine does only lengthens."""
    return min(compared.tlspair) / min(compared.own)


def is_beyond(compared, limit):
    return not compared.row.differs and abs(ratio(compared) - 1) * 100 > limit


def markdown(rows, limit):
    same = [compared for compared in rows if not compared.row.differs]
    beyond = sum(is_beyond(compared, limit) for compared in same)
    lines = [*heading(""), *(line(compared, beyond_or_not(compared, limit)) for compared in same)]
    lines += ["", f"{len(same) - beyond} of {len(same)} within {limit:g} %; a ratio is tlspair's time by the benchmark's own, in the fastest round of each."]
    other = [compared for compared in rows if compared.row.differs]
    if other:
        lines += ["", "Not the same work, and not judged:", "", *heading("what differs")]
        lines += [line(compared, compared.row.differs) for compared in other]
    return "\n".join(lines)


def heading(last):
    first = f"| library | primitive | bytes | own benchmark | tlspair | ratio | within rounds | {last} |"
    return [first, "|---|---|--:|--:|--:|--:|---|---|"]


def beyond_or_not(compared, limit):
    return f"beyond {limit:g} %" if is_beyond(compared, limit) else ""


def line(compared, remark):
    ratios = compared.ratios()
    cells = [
        compared.library,
        compared.row.name(),
        "" if compared.row.bytes is None else f"{compared.row.bytes:,}",
        time(min(compared.own)),
        time(min(compared.tlspair)),
        f"{ratio(compared):.3f}",
        f"{min(ratios):.3f} to {max(ratios):.3f}",
        remark,
    ]
    return f"| {' | '.join(cells)} |"
