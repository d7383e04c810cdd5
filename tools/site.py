#!/usr/bin/env python3
"""The documentation as a static site: site.py STINT FOLDER.

Every Markdown page that README.md leads to, with its figures; the man pages of STINT. Markdown is made HTML by
cmark-gfm, the renderer of GitHub, so that a page looks the same in both places; man pages by mandoc. No JavaScript,
nothing is loaded from elsewhere. Then every link and anchor is followed and every page parsed as XML: what does not
resolve is printed, and the exit status is 1.
"""
import glob
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The order of the navigation: headings, and the pages of docs/ below them. What is listed nowhere comes last.
PARTS = [
    ("Start", ["README", "guide/install", "guide/start", "guide/tour", "guide/tutorials/lora", "guide/tutorials/student",
               "guide/tutorials/deepspeed", "guide/tutorials/finops", "guide/examples"]),
    ("Before you run", ["guide/plan", "guide/prices", "guide/spot", "guide/infer", "guide/bench", "guide/data", "guide/tune", "guide/roi", "guide/tco",
                        "guide/calibrate"]),
    ("While it runs", ["guide/run", "guide/run-money", "guide/checkpoints", "guide/callbacks", "guide/attach", "guide/watch"]),
    ("After it ran", ["guide/report", "guide/why", "guide/advise", "guide/trackers", "guide/maturity"]),
    ("Money and teams", ["guide/import", "guide/reconcile", "guide/costs", "guide/allocation", "guide/budgets", "guide/alerts",
                         "guide/forecast", "guide/commitments", "guide/storage", "guide/export", "guide/python", "guide/ci",
                         "guide/serve"]),
    ("Reference", ["reference/commands", "reference/job-file", "reference/bills", "reference/bills-clouds", "reference/run-metrics",
                   "reference/metering", "reference/ledger", "reference/library", "reference/versions"]),
    ("Evidence", ["accuracy", "benchmarks", "evidence/accuracy", "evidence/scores", "evidence/benchmarks"]),
    ("Code", ["ARCHITECTURE", "development"]),
]

STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1d2329; --soft: #57606a; --line: #d5dae0; --link: #0b5cad;
  --code: #f4f6f8; --mark: #e8f1fb; }
@media (prefers-color-scheme: dark) { :root { --back: #14181d; --text: #dfe4ea; --soft: #9aa5b1; --line: #333c46;
  --link: #79b8ff; --code: #1d232a; --mark: #1b2d42; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, "Liberation Sans", sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99em; }
.skip:focus { position: static; }
.frame { display: grid; grid-template-columns: 15rem minmax(0, 46rem) minmax(0, 14rem); gap: 0 2.5rem; max-width: 82rem;
  margin: 0 auto; padding: 0 1.25rem; }
nav { font-size: 0.9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.15rem 0; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav b { display: block; margin: 1rem 0 0.25rem; color: var(--soft); font-weight: 600; }
nav a[aria-current] { font-weight: 600; background: var(--mark); border-radius: 4px; padding: 0.05rem 0.4rem; margin-left: -0.4rem; }
.site, .page { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.25rem 0; align-self: start; }
.page li.deep { padding-left: 0.9rem; }
main { padding: 0.5rem 0 4rem; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1.2rem 0 0.8rem; }
h2 { font-size: 1.4rem; margin: 2.2rem 0 0.6rem; padding-top: 0.4rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.6rem 0 0.4rem; }
h1, h2, h3, h4 { scroll-margin-top: 0.5rem; overflow-wrap: anywhere; }
p, li { overflow-wrap: break-word; }
code, pre, kbd { font-family: ui-monospace, "Liberation Mono", monospace; font-size: 0.875em; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 0.9rem; overflow-x: auto;
  line-height: 1.4; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.93rem; margin: 0.8rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.75rem 0.35rem 0; text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
img { max-width: 100%; height: auto; background: #fff; border-radius: 6px; }
footer { color: var(--soft); font-size: 0.85rem; border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 0.75rem; }
details.menu { display: none; }
.manual dl { margin: 0.5rem 0; }
.manual dd { margin: 0 0 0.5rem 2rem; }
.manual .head, .manual .foot { display: none; }
.manual a.permalink { color: inherit; text-decoration: none; }
@media (max-width: 70rem) { .frame { grid-template-columns: 14rem minmax(0, 1fr); } .page { display: none; } }
@media (max-width: 48rem) {
  .frame { display: block; padding: 0 1rem; }
  nav.site { display: none; }
  details.menu { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  details.menu summary { cursor: pointer; font-weight: 600; }
  h1 { font-size: 1.6rem; }
}
@media print {
  nav, details.menu, .skip { display: none !important; }
  .frame { display: block; max-width: none; padding: 0; }
  body { font-size: 11pt; background: #fff; color: #000; }
  pre { white-space: pre-wrap; }
  pre, table, img { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
}
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<link rel="stylesheet" href="{top}style.css"/>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<div class="frame">
<details class="menu"><summary>Stint: all pages</summary><nav aria-label="All pages">{nav}</nav></details>
<nav class="site" aria-label="Pages">{nav}</nav>
<main id="content"{kind}>
{body}
<footer>Stint {version}. Made from <code>{source}</code>.</footer>
</main>
<nav class="page" aria-label="On this page">{contents}</nav>
</div>
</body>
</html>
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def plain(text):
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def slug(text, used):
    """The anchor that GitHub gives a heading."""
    name = re.sub(r"[^\w\- ]", "", plain(text).strip().lower()).replace(" ", "-")
    number = used.get(name, 0)
    used[name] = number + 1
    return f"{name}-{number}" if number else name


def target_of(path):
    """Where a file of the repository is in the site."""
    if path == "README.md":
        return "index.html"
    return path[:-3] + ".html" if path.endswith(".md") else path


class Site:
    def __init__(self, stint, folder):
        self.stint, self.folder = stint, folder
        self.pages = {}  # path in the repository: (title, html, headings)
        self.copied, self.problems = set(), []
        self.version = subprocess.run([stint, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    # ---- Markdown ----

    def link(self, page, address):
        """The address as the site has it; pages that it leads to are made too."""
        if re.match(r"[a-z]+:", address) or address.startswith("#"):
            return address
        where, anchor = urldefrag(address)
        path = os.path.normpath(os.path.join(os.path.dirname(page), unquote(where)))
        full = os.path.join(ROOT, path)
        if os.path.isdir(full) and os.path.exists(os.path.join(full, "README.md")):
            path = os.path.join(path, "README.md")
        elif os.path.isdir(full) and not path.startswith(".."):
            path = self.add_folder(path)
        elif path.startswith("..") or not os.path.isfile(full):
            self.problems.append(f"{page}: there is no '{address}'")
            return address
        if path.endswith(".md"):
            self.add(path)
        elif path not in self.copied:
            self.copied.add(path)
        back = os.path.relpath(target_of(path), os.path.dirname(target_of(page)) or ".")
        return back + ("#" + anchor if anchor else "")

    def add_folder(self, path):
        """A page that lists a folder of examples; the page's path."""
        page = path + "/index.md"
        names = sorted(n for n in os.listdir(os.path.join(ROOT, path)) if os.path.isfile(os.path.join(ROOT, path, n)))
        self.copied.update(os.path.join(path, name) for name in names)
        items = "".join(f'<li><a href="{html.escape(name)}">{html.escape(name)}</a></li>\n' for name in names)
        self.pages[page] = (path, f"<h1>{html.escape(path)}</h1>\n<ul>\n{items}</ul>", [])
        return page

    def add(self, page):
        if page in self.pages:
            return
        self.pages[page] = None
        body = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink"], input=read(page),
                              capture_output=True, text=True, check=True).stdout
        body = re.sub(r"<!--.*?-->", "", body, flags=re.S)
        used, headings = {}, []

        def heading(match):
            level, text = int(match[1]), match[2]
            name = slug(text, used)
            headings.append((level, name, plain(text)))
            return f'<h{level} id="{name}">{text}</h{level}>'

        body = re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.S)
        body = re.sub(r'(href|src)="([^"]*)"',
                      lambda m: f'{m[1]}="{html.escape(self.link(page, html.unescape(m[2])))}"', body)
        body = re.sub(r"(<table>.*?</table>)", r'<div class="wide" tabindex="0">\1</div>', body, flags=re.S)
        body = body.replace("<pre>", '<pre tabindex="0">').replace("<pre lang", '<pre tabindex="0" lang')
        title = headings[0][2] if headings else page
        self.pages[page] = (title, body, headings)

    # ---- man pages ----

    def add_manual(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([self.stint, "man", "-o", folder], check=True)
            for page in sorted(os.listdir(folder)):
                self.add_manual_page(page[:-2], os.path.join(folder, page))  # stint-plan.1

    def add_manual_page(self, name, path):
        body = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", path], capture_output=True, text=True, check=True).stdout
        headings = [(2, m[1], plain(m[2])) for m in re.finditer(r'<h1 class="Sh" id="([^"]*)">(.*?)</h1>', body, flags=re.S)]
        body = re.sub(r"<(/?)h2\b", r"<\1h3", body)
        body = re.sub(r"<(/?)h1\b", r"<\1h2", body)
        self.pages[f"man/{name}.md"] = (f"{name}(1)", f"<h1>{name}(1)</h1>\n{body}", headings)

    # ---- writing ----

    def navigation(self, here):
        top = os.path.dirname(target_of(here)) or "."
        listed, out = set(), []

        def item(page):
            listed.add(page)
            now = ' aria-current="page"' if page == here else ""
            name = "Home" if page == "README.md" else self.pages[page][0]
            out.append(f'<li><a href="{os.path.relpath(target_of(page), top)}"{now}>{html.escape(name)}</a></li>')

        out.append("<ul>")
        item("README.md")
        out.append("</ul>")
        for title, names in PARTS:
            out.append(f"<b>{title}</b><ul>")
            for name in names:
                if f"docs/{name}.md" in self.pages:
                    item(f"docs/{name}.md")
            if title == "Reference":
                item("man/stint.md")
            out.append("</ul>")
        rest = sorted(p for p in self.pages if p not in listed and not p.startswith("man/"))
        if rest:
            out.append("<b>More</b><ul>")
            for page in rest:
                item(page)
            out.append("</ul>")
        if here.startswith("man/"):
            out.append("<b>Man pages</b><ul>")
            for page in sorted(p for p in self.pages if p.startswith("man/") and p not in listed):
                item(page)
            out.append("</ul>")
        return "\n".join(out)

    def contents(self, headings):
        rows = [h for h in headings if h[0] in (2, 3)]
        if len([h for h in rows if h[0] == 2]) > 25 or len(rows) > 40:
            rows = [h for h in rows if h[0] == 2]
        if len(rows) < 2:
            return ""
        lines = []
        for level, name, text in rows:
            deep = ' class="deep"' if level > 2 else ""
            lines.append(f'<li{deep}><a href="#{name}">{html.escape(text)}</a></li>')
        return "<b>On this page</b><ul>" + "".join(lines) + "</ul>"

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for page, (title, body, headings) in self.pages.items():
            path = os.path.join(self.folder, target_of(page))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            manual = page.startswith("man/")
            depth = target_of(page).count("/")
            with open(path, "w", encoding="utf-8") as file:
                file.write(PAGE.format(title=html.escape(title if page == "README.md" else f"{title} - Stint"), top="../" * depth,
                                       nav=self.navigation(page), body=body, contents=self.contents(headings),
                                       version=self.version, kind=' class="manual"' if manual else "",
                                       source=f"stint man {title[6:-3]}".strip() if manual else page))
        for path in self.copied:
            to = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copyfile(os.path.join(ROOT, path), to)
        with open(os.path.join(self.folder, "style.css"), "w", encoding="utf-8") as file:
            file.write(STYLE.lstrip())


class Links(HTMLParser):
    """Anchors and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.addresses, self.twice = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                if value in self.ids:
                    self.twice.append(value)
                self.ids.add(value)
            elif name in ("href", "src"):
                self.addresses.append(value)


def check(folder):
    """Every problem of the site in words; the number of links followed."""
    problems, followed, seen = [], 0, {}
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(base, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                seen[path] = Links(text)
                try:  # void elements are closed and entities are XML's: a page that is not well-formed is a defect of ours
                    xml.etree.ElementTree.fromstring(text.replace("<!DOCTYPE html>", "").replace("&nbsp;", "&#160;"))
                except xml.etree.ElementTree.ParseError as why:
                    problems.append(f"{path}: not well-formed: {why}")
    for path, links in seen.items():
        problems += [f"{path}: the anchor '{name}' is there twice" for name in links.twice]
        for address in links.addresses:
            if re.match(r"(https?|mailto):", address):
                continue
            followed += 1
            where, anchor = urldefrag(address)
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(where))) if where else path
            if not os.path.isfile(to):
                problems.append(f"{path}: '{address}' leads nowhere")
            elif anchor and to in seen and unquote(anchor) not in seen[to].ids:
                problems.append(f"{path}: '{address}': there is no such anchor")
    return problems, followed, len(seen)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: site.py STINT FOLDER")
    for program in ("cmark-gfm", "mandoc"):
        if shutil.which(program) is None:
            print(f"skipped: there is no {program} here")
            sys.exit(77)
    site = Site(os.path.abspath(sys.argv[1]), sys.argv[2])
    site.add("README.md")
    for page in sorted(glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True)):
        site.add(page)
    site.add_manual()
    site.write()
    problems, followed, pages = check(sys.argv[2])
    for problem in site.problems + problems:
        print(problem)
    print(f"{pages} pages, {followed} links followed: {sys.argv[2]}/index.html")
    sys.exit(1 if site.problems or problems else 0)


if __name__ == "__main__":
    main()
