package dev.rowlock.cli;

/** What is around the content of a page: it needs nothing from elsewhere, and fits a phone as well as a dark room. */
final class HtmlPage {
    /** How many colours there are for actors. */
    static final int COLOURS = 3;

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>Rowlock: what was proved</title>
            <style>
            :root { color-scheme: light dark;
              --back: #fff; --text: #1b1f24; --soft: #59636e; --line: #d1d9e0; --box: #f4f6f8;
              --good: #146c2e; --bad: #b3261e; --open: #8a5a00; --a0: #0b6e8a; --a1: #8a2a8a; --a2: #2f4fb5; }
            @media (prefers-color-scheme: dark) { :root {
              --back: #0f1318; --text: #e4e8ec; --soft: #9aa5b1; --line: #333c46; --box: #181e25;
              --good: #5fd08a; --bad: #ff8a80; --open: #e8b34a; --a0: #5cc8e0; --a1: #e08ae0; --a2: #93a9ff; } }
            * { box-sizing: border-box; }
            body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--back); color: var(--text);
              font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: break-word; }
            h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
            a { color: inherit; }
            code, pre, td.step { font-family: ui-monospace, monospace; font-size: .85rem; }
            .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; margin: .8rem 0; }
            table { border-collapse: collapse; width: 100%; }
            th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
            thead th { background: var(--box); } tbody tr:last-child td { border-bottom: 0; }
            td:first-child { overflow-wrap: anywhere; min-width: 11rem; } h2 { overflow-wrap: anywhere; }
            .drawing td { overflow-wrap: anywhere; } .verdict { white-space: nowrap; }
            td.n, th.n { text-align: right; white-space: nowrap; }
            .drawing { table-layout: fixed; } .drawing th, .drawing td { width: min(13rem, 43vw); }
            .drawing td { border-bottom-style: dotted; border-left: 1px solid var(--line); }
            .drawing tfoot td { border-top: 1px solid var(--line); font-size: .85rem; }
            td.waits { background: repeating-linear-gradient(180deg, var(--open) 0 4px, transparent 4px 9px)
              .9rem 0 / 2px 100% no-repeat; }
            .a0 b { color: var(--a0); } .a1 b { color: var(--a1); } .a2 b { color: var(--a2); }
            .wait { color: var(--open); } .value { white-space: pre-wrap; } .error { color: var(--bad); } .end { color: var(--soft); }
            .proved { color: var(--good); } .violated { color: var(--bad); } .undecided { color: var(--open); }
            .verdict { font-weight: 700; } .soft { color: var(--soft); }
            pre { margin: 0; white-space: pre-wrap; } summary { cursor: pointer; }
            </style>
            </head>
            <body>
            """;

    private HtmlPage() {}

    static Html begin() {
        return new Html().raw(HEAD);
    }

    static String end(Html html) {
        return html.raw("</body>\n</html>\n").toString();
    }
}
