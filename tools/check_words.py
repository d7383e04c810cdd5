#!/usr/bin/env python3
"""Do help texts begin with a noun or a verb, and does no text use a phrase that is not ours?

check_words.py [FOLDER]. A help text that begins with a preposition or a pronoun ("of the run", "that it
used") can only be read together with the name of its field. The phrases are those of an older manner of
writing, each with what is written instead."""
import os
import re
import sys

STARTS = """about above across after against among and are around as at because been before behind below
beneath beside between beyond but by down during for from has have how in inside into is it its like
likewise near nor not of off on onto or out outside over per since than that there these they this those
through thus till to toward under unless until up upon was were what when where which while who
whom whose why with within without""".split()

# Each with what is written instead.
PHRASES = {
    'a bill that is known': 'a supported bill format',
    'a cost that comes again': 'a recurring cost',
    'are taken to have': 'are read with',
    'by so much as': 'by as much as',
    'dearer than': 'more expensive than',
    'good order': 'gracefully',
    'had for less': 'bought for less',
    'heard of': 'last seen',
    'in the mean': 'on average',
    'is told to': 'is asked to',
    'it is not to be had': 'not available',
    'least money': 'lowest cost',
    'no one else can read': 'trusted network',
    'nobody has': 'not ... yet',
    'not to be had': 'not available',
    'out of the ordinary': 'unusual',
    'parted by': 'separated by',
    'person who waits': 'waiting time',
    'so that nothing may be left': 'so the savings may be zero',
    'takes itself for': 'refuses',
    'that are known are': 'supported:',
    'what happened to it': 'details and events',
    'what is done again': 'repeated work',
    'which nobody': 'un-',
    'who is paid': 'provider',
    'who is told': 'recipients',
    'vouch for': 'verify',
}

LITERAL = r'"(?:[^"\\\n]|\\.)*"'
# FIELD macros of one file that take the text as their last argument: ROW(TEXT, name, "...").
DEFINED = re.compile(r'^#define\s+(\w+)\([^)]*\b(text|words|help)\)[^\n]*(?:\\\n[^\n]*)*?\.help\s*=\s*\(?\2\b', re.M)
COMMENTS = re.compile(LITERAL + r'|/\*.*?\*/', re.S)
STRINGS = re.compile(LITERAL + r'(?:(?:\s|\\\n)*' + LITERAL + ')*')
PHRASE = re.compile(r'\b(' + '|'.join(map(re.escape, PHRASES)) + r')\b', re.I)
START = re.compile(r'"[(\']?(' + '|'.join(STARTS) + r')(?![\w-])', re.I)


def line_of(text, at):
    return text.count('\n', 0, at) + 1


def without_comments(text):
    """The same text, at the same places, with blanks for comments."""
    return COMMENTS.sub(
        lambda m: m.group() if m.group()[0] == '"' else re.sub(r'[^\n]', ' ', m.group()), text)


def help_texts(text):
    for m in re.finditer(r'\.(?:help|summary)\s*=(?:\s|\\\n)*(?:STR\()?(' + LITERAL + ')', text):
        yield m.start(1), m.group(1)
    for d in DEFINED.finditer(text):
        call = r'\b' + d.group(1) + r'\([^;{}"]*(?:"\w*"[^;{}"]*)??(' + LITERAL + r')(?=\s*[")])'
        for m in re.finditer(call, text):
            yield m.start(1), m.group(1)


def sources(root):
    for folder, _, names in os.walk(os.path.join(root, 'src')):
        for name in names:
            if name.endswith(('.c', '.h')):
                yield os.path.join(folder, name)


def pages(root):
    for folder, _, names in os.walk(os.path.join(root, 'docs')):
        for name in names:
            if name.endswith('.md'):
                yield os.path.join(folder, name)
    yield os.path.join(root, 'README.md')


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else '.'
    bad = []
    for path in sorted(sources(root)):
        with open(path, encoding='utf-8') as f:
            text = without_comments(f.read())
        for at, literal in help_texts(text):
            m = START.match(literal)
            if m:
                bad.append('%s:%d: a help text begins with "%s": %s' % (
                    path, line_of(text, at), m.group(1), literal))
        for m in STRINGS.finditer(text):
            joined = re.sub(r'"(?:\s|\\\n)*"', '', m.group()).replace('\\n', ' ')
            p = PHRASE.search(joined)
            if p:
                bad.append('%s:%d: "%s"; write: %s' % (
                    path, line_of(text, m.start()), p.group(1), PHRASES[p.group(1).lower()]))
    for path in sorted(pages(root)):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        for p in PHRASE.finditer(re.sub(r'\n(?=\S)', ' ', text)):
            bad.append('%s: "%s"; write: %s' % (path, p.group(1), PHRASES[p.group(1).lower()]))
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
