// check.mjs PAGE...: reports in a real browser, as TAP. Each page must be valid HTML, accessible (axe-core) in light, dark and
// print, no wider than the screen or the paper, and load nothing. On paper no number and no short text becomes two lines.
import { readFileSync, existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HtmlValidate } from 'html-validate';
import { chromium } from 'playwright-core';
import axe from 'axe-core';

const looks = [
    { name: 'light, 1440 px', width: 1440, media: 'screen', colorScheme: 'light' },
    { name: 'dark, 360 px', width: 360, media: 'screen', colorScheme: 'dark' },
    { name: 'print', width: 673, media: 'print', colorScheme: 'dark' }, // A4 within its margins
];
// A title contains names that users chose, however long.
const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off' } });
const pages = process.argv.slice(2);
let count = 0;
let failed = 0;

function result(problems, name) {
    count++;
    failed += problems.length > 0;
    console.log(`${problems.length > 0 ? 'not ok' : 'ok'} ${count} - ${name}`);
    for (const problem of problems.slice(0, 20)) console.log(`# ${problem.replaceAll('\n', ' ')}`);
}

async function checkHtml(file) {
    const report = await validator.validateString(readFileSync(file, 'utf8'));
    const messages = report.results.flatMap((r) => r.messages);
    result(messages.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`), `${basename(file)}: valid HTML`);
}

// Cells of tables that are broken in two, though they are short.
function brokenCells() {
    const lines = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size;
    };
    const cells = [...document.querySelectorAll('tbody td:not(.wide), tbody th:not(.wide), tfoot .num')];
    return cells.filter((cell) => lines(cell) > 1).map((cell) => `broken: ${cell.textContent}`);
}

async function checkLook(browser, file, look) {
    const url = pathToFileURL(resolve(file)).href;
    const page = await browser.newPage({ viewport: { width: look.width, height: 900 }, bypassCSP: true });
    const problems = [];

    page.on('request', (r) => r.url() === url || problems.push(`loads ${r.url()}`));
    page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
    page.on('dialog', (d) => problems.push(`shows a dialog: ${d.message()}`));
    await page.emulateMedia({ media: look.media, colorScheme: look.colorScheme });
    await page.goto(url);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) problems.push(`${wide} px wider than the screen`);
    if (look.media === 'print') problems.push(...(await page.evaluate(brokenCells)));
    await page.evaluate(axe.source);
    const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
    for (const v of found.violations) problems.push(`${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' ')}`);
    await page.close();
    result(problems, `${basename(file)}: ${look.name}`);
}

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
try {
    for (const file of pages) {
        await checkHtml(file);
        for (const look of looks) await checkLook(browser, file, look);
    }
} finally {
    await browser.close();
}
console.log(`1..${count}`);
process.exitCode = failed > 0 ? 1 : 0;
