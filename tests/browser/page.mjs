// page.mjs STINT LEDGER: the page of `stint serve` in a real browser, as TAP. Every view must be valid HTML, accessible (axe-core) in
// light, dark and narrow, no wider than the screen, and load nothing from elsewhere; with JavaScript and without it.
// With SHOTS=FOLDER, pictures of all of them are written there.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';
import { chromium } from 'playwright-core';
import axe from 'axe-core';

const [stint, ledger] = process.argv.slice(2);
const shots = process.env.SHOTS;
const looks = [
    { name: 'light', width: 1360, colorScheme: 'light', javaScriptEnabled: true },
    { name: 'dark, narrow', width: 360, colorScheme: 'dark', javaScriptEnabled: true },
    { name: 'plain', width: 1360, colorScheme: 'light', javaScriptEnabled: false },
];
const plain = looks[2];
if (shots)
    looks.push({ name: 'dark', width: 1100, colorScheme: 'dark', javaScriptEnabled: true },
        { name: 'narrow', width: 360, colorScheme: 'light', javaScriptEnabled: true });
// A title contains names that users chose, however long; the order of attributes and such are no concern of readers.
const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off',
    'form-dup-name': ['error', { shared: ['radio', 'checkbox'] }] } });
let count = 0;
let failed = 0;

function result(problems, name) {
    count++;
    failed += problems.length > 0;
    console.log(`${problems.length > 0 ? 'not ok' : 'ok'} ${count} - ${name}`);
    for (const problem of problems.slice(0, 20)) console.log(`# ${String(problem).replaceAll('\n', ' ').slice(0, 600)}`);
}

async function check(name, steps) {
    const problems = [];
    try {
        await steps((ok, what) => ok || problems.push(what));
    } catch (error) {
        problems.push(error);
    }
    result(problems, name);
}

function askIn(place, ...words) {
    return JSON.parse(execFileSync(stint, ['--ledger', place, ...words, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }));
}

const ask = (...words) => askIn(ledger, ...words);

async function start(port = 0, place = ledger) {
    const server = spawn(stint, ['--ledger', place, 'serve', '--listen', `127.0.0.1:${port}`], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    const link = await new Promise((resolve, reject) => {
        server.stderr.on('data', (text) => {
            said += text;
            const at = said.match(/within 5 minutes: (\S+)/);
            if (at) resolve(at[1]);
        });
        server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
    });
    return { server, base: link.split('/sign-in')[0], link };
}

// The server has to see the new token; parts that take long are made beside the page: look at it when they are there.
async function settle(site) {
    for (const path of ['/', '/bills', '/advice'])
        for (let i = 0; i < 300; i++) {
            const answer = await fetch(site.base + path, { headers: { Authorization: `Bearer ${site.token}` } });
            if (answer.ok && !(await answer.text()).includes('eing computed')) break;
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
}

// A browser that is signed in with the token.
async function visitor(browser, site, look) {
    const context = await browser.newContext({ viewport: { width: look.width, height: 900 }, colorScheme: look.colorScheme,
        javaScriptEnabled: look.javaScriptEnabled });
    const page = await context.newPage();
    page.problems = [];
    page.on('request', (r) => r.url().startsWith(site.base) || r.url().startsWith('data:') || page.problems.push(`loads ${r.url()}`));
    page.on('console', (m) => m.type() === 'error' && page.problems.push(m.text()));
    page.on('pageerror', (e) => page.problems.push(e));
    page.on('dialog', (d) => page.problems.push(`shows a dialog: ${d.message()}`));
    await page.goto(`${site.base}/runs`);
    await page.fill('#token', site.token);
    await page.click('button');
    await page.waitForURL(`${site.base}/runs`);
    return page;
}

// Rules about color need what is painted; the page's own policy forbids scripts from elsewhere, so the source is evaluated.
async function violations(page) {
    await page.evaluate(axe.source);
    const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
    return found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' ')}`);
}

// What a row is for must be seen without scrolling it: its buttons, and the price of an offer.
function outOfSight() {
    const all = [...document.querySelectorAll('td button')];
    const title = [...document.querySelectorAll('#list thead th')].find((e) => /^(on-demand|total)$/.test(e.textContent));
    if (title) all.push(title);
    return all.filter((e) => e.getBoundingClientRect().right > innerWidth - 1).map((e) => e.textContent);
}

async function checkViews(browser, site, look, paths) {
    const page = await visitor(browser, site, look);
    for (const path of paths) {
        page.problems.length = 0;
        const answer = await page.goto(site.base + path);
        if (!answer.ok()) page.problems.push(`status ${answer.status()}`);
        if (shots) await page.screenshot({ path: `${shots}/${path.replaceAll(/[^a-z0-9]+/gi, '_').slice(0, 30)}-${look.name.replace(', ', '-')}.png`, fullPage: true });
        if (look.javaScriptEnabled) {
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (wide > 0) page.problems.push(`${wide} px wider than the screen`);
            const hidden = await page.evaluate(outOfSight);
            page.problems.push(...hidden.map((text) => `out of sight: ${text}`));
            page.problems.push(...(await violations(page)));
        } else {
            const report = await validator.validateString(await answer.text());
            page.problems.push(...report.results.flatMap((r) => r.messages).map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`));
        }
        result([...page.problems], `${path.replace(/[0-9a-f-]{36}/g, 'ID')}: ${look.name}`);
    }
    await page.context().close();
}

const top = (page) => page.evaluate(() => scrollY);

async function checkScript(browser, site, run) {
    const page = await visitor(browser, site, looks[0]);
    await check('a click on a title sorts without a new page, and the focus stays', async (expect) => {
        await page.goto(`${site.base}/runs`);
        await page.evaluate(() => { globalThis.same = true; });
        await page.focus('#list thead a >> text=cost');
        await page.keyboard.press('Enter');
        await page.waitForSelector('th[aria-sort=descending] >> text=cost');
        expect(await page.evaluate(() => globalThis.same), 'a new page was loaded');
        expect(page.url().includes('sort=runs.-cost'), page.url());
        expect(await page.evaluate(() => document.activeElement.textContent) === 'cost', 'the focus is lost');
        await page.goBack();
        await page.waitForSelector('th[aria-sort]', { state: 'detached' });
    });
    await check('keys: / finds, j and k move, g b leads on, ? helps', async (expect) => {
        await page.goto(`${site.base}/runs`);
        await page.keyboard.press('j');
        await page.keyboard.press('j');
        expect(await page.evaluate(() => [...document.querySelectorAll('tbody tr')].findIndex((r) => r.ariaSelected === 'true')) === 1, 'j');
        await page.keyboard.press('k');
        await page.keyboard.press('?');
        expect(await page.isVisible('#help'), 'help');
        await page.keyboard.press('Escape');
        await page.keyboard.press('/');
        expect(await page.evaluate(() => document.activeElement.id) === 'find', '/');
        await page.keyboard.press('Escape');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('g');
        await page.keyboard.press('o');
        await page.waitForURL(`${site.base}/`);
    });
    await check('selected runs are compared', async (expect) => {
        await page.goto(`${site.base}/runs`);
        await page.check('tbody tr:nth-child(1) input');
        await page.check('tbody tr:nth-child(2) input');
        await page.click('button[data-compare]');
        await page.waitForURL(/compare/);
        expect(await page.locator('#compared tbody tr').count() === 2, 'two rows');
    });
    await check('dragging over a figure looks closer', async (expect) => {
        await page.goto(`${site.base}/runs/${run}`);
        const plot = page.locator('rect.plot').first();
        await plot.scrollIntoViewIfNeeded();
        const box = await plot.boundingBox();
        await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.75, box.y + 50);
        await page.mouse.up();
        await page.waitForSelector('text=Show all of it');
        expect(/from=\d+/.test(page.url()), page.url());
        await page.click('text=Show all of it');
        await page.waitForSelector('text=Show all of it', { state: 'detached' });
    });
    await check('a row that is selected or ticked stays so when others come before it, or it moves', async (expect) => {
        await page.goto(`${site.base}/runs`);
        await page.check('#list tbody tr:nth-child(2) input');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('j');
        await page.keyboard.press('j');
        const chosen = () => page.evaluate(() => ({ ticked: [...document.querySelectorAll('#list input:checked')].map((b) => b.value).join(),
            row: document.querySelector('tr[aria-selected=true] input')?.value, focus: document.activeElement.getAttribute('href') }));
        const before = await chosen();
        expect(before.ticked && before.ticked === before.row, JSON.stringify(before));
        record('before-the-ticked-one');
        await page.waitForSelector('#list >> text=before-the-ticked-one');
        expect(JSON.stringify(await chosen()) === JSON.stringify(before), `${JSON.stringify(before)} became ${JSON.stringify(await chosen())}`);
    });
    await check('a finger that scrolls over a figure does not look closer', async (expect) => {
        const context = await browser.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
        const phone = await context.newPage();
        await context.addCookies(await page.context().cookies());
        await phone.goto(`${site.base}/runs/${run}`);
        const plot = phone.locator('rect.plot').first();
        await plot.scrollIntoViewIfNeeded();
        const box = await plot.boundingBox();
        const touch = await context.newCDPSession(phone);
        const at = (x, y) => [{ x: box.x + box.width * x, y: box.y + y }];
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0.2, 40) });
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(0.7, 44) });
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        await phone.waitForTimeout(500);
        expect(!/from=/.test(phone.url()), phone.url());
        expect(await phone.locator('.zoom-mark').count() === 0, 'a mark is left');
        await context.close();
    });
    await check('what is recorded appears by itself; the place on the page and the focus stay', async (expect) => {
        await page.goto(`${site.base}/runs`);
        await page.evaluate(() => scrollTo(0, 300));
        await page.locator('#list tbody tr a').nth(5).focus({ preventScroll: true });
        const before = await top(page);
        record('appears-by-itself');
        await page.waitForSelector('text=appears-by-itself');
        expect(await top(page) === before, 'it scrolled');
        expect(await page.evaluate(() => document.activeElement.closest('tr') !== null), 'the focus is lost');
    });
    await page.context().close();
}

// A run that ended a minute ago.
function record(name, place = ledger) {
    const time = (ago) => new Date(Date.now() - ago * 1000).toISOString().slice(0, 19) + 'Z';
    askIn(place, 'runs', 'add', '--name', name, '--start', time(3600), '--end', time(60), '--cost', '3usd');
}

const show = (page, hidden) => page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
}, hidden);

async function checkLive(browser, site) {
    const page = await visitor(browser, site, looks[0]);
    await check('a page that takes long is replaced, however often something changes; a click is not lost', async (expect) => {
        await page.route(/\/runs(\?|$)/, async (route) => {
            if (route.request().resourceType() === 'fetch') await new Promise((resolve) => setTimeout(resolve, 2500));
            await route.continue().catch(() => {});
        });
        await page.goto(`${site.base}/runs`);
        let more = true;
        const changes = (async () => {
            for (let i = 0; i < 20 && more; i++) {
                record(`often-${i}`);
                await new Promise((resolve) => setTimeout(resolve, 700));
            }
        })();
        await page.waitForSelector('text=often-0', { timeout: 9000 }).catch(() => expect(false, 'never replaced'));
        await page.click('#list thead a >> text=cost');
        await page.waitForSelector('th[aria-sort=descending] >> text=cost', { timeout: 6000 }).catch(() => expect(false, 'the click is lost'));
        more = false;
        await changes;
    });
    await check('hidden tabs leave the connections to the others, and catch up when they are shown', async (expect) => {
        const tabs = [];
        for (let i = 0; i < 8; i++) {
            tabs.push(await page.context().newPage());
            await tabs[i].goto(`${site.base}/runs`, { timeout: 8000 });
            await tabs[i].waitForTimeout(200);
            await show(tabs[i], true);
        }
        record('while-hidden');
        await tabs[0].waitForTimeout(1000);
        expect(!(await tabs[0].textContent('main')).includes('while-hidden'), 'a hidden tab asks');
        await show(tabs[0], false);
        await tabs[0].waitForSelector('text=while-hidden', { timeout: 8000 });
        for (const tab of tabs) await tab.close();
    });
    await page.context().close();
}

async function checkRestart(browser) {
    let site = await start();
    const { port } = new URL(site.base);
    site.token = ask('token', 'add', 'restart').secret;
    await settle(site);
    const page = await visitor(browser, site, looks[0]);
    await check('a page says that the server is gone, and then that one has to sign in again', async (expect) => {
        await page.goto(`${site.base}/runs`);
        await page.waitForTimeout(500);
        site.server.kill();
        await page.waitForSelector('[role=status] >> text=does not answer', { timeout: 9000 });
        const { token } = site;
        site = { ...(await start(port)), token };
        await page.waitForSelector('[role=status] >> text=signed out', { timeout: 9000 });
        await page.click('[role=status] a');
        await page.fill('#token', token);
        await page.click('button');
        await page.waitForURL(`${site.base}/runs`);
        expect(await page.locator('[role=status]').count() === 0, 'it still says so');
    });
    await page.context().close();
    site.server.kill();
}

async function checkFirstRun(browser) {
    const place = `${ledger}.new`;
    const { secret } = askIn(place, 'token', 'add', 'first');
    const site = { ...(await start(0, place)), token: secret };
    const page = await visitor(browser, site, looks[0]);
    await check('the first run of a new ledger appears by itself', async () => {
        await page.goto(`${site.base}/`);
        await page.waitForSelector('text=Nothing is recorded yet');
        await page.waitForTimeout(500);
        record('the-first', place);
        await page.waitForSelector('text=Spent this month', { timeout: 9000 });
    });
    await page.context().close();
    site.server.kill();
}

async function checkPlain(browser, site) {
    const page = await visitor(browser, site, plain);
    await check('without JavaScript runs are found and sorted, and one signs out', async (expect) => {
        await page.fill('#f-name', 'photo');
        await page.click('main button >> text=Find');
        expect(page.url().includes('name=photo'), page.url());
        await page.click('thead a >> text=cost');
        expect(await page.locator('th[aria-sort=descending]').count() === 1, 'sorted');
        await page.click('text=Sign out');
        await page.waitForURL(/sign-in/);
        await page.goto(`${site.base}/`);
        expect(page.url().includes('/sign-in'), 'still signed in');
    });
    await page.context().close();
}

async function checkForms(browser, site) {
    const page = await visitor(browser, site, plain);
    await check('a budget is set, changed and removed', async (expect) => {
        await page.goto(`${site.base}/budgets`);
        await page.fill('#f-name', 'new-one');
        await page.fill('#f-amount', '1234usd');
        await page.click('text=Save');
        expect(await page.isVisible('text=Saved.'), 'saved');
        await page.click('#list a >> text=new-one');
        expect(await page.isVisible('text=$1,234.00'), 'its amount');
        await page.fill('#f-amount', '$2000');
        await page.click('text=Save');
        expect(await page.isVisible('text=$2,000.00'), 'its new amount');
        await page.click('#list a >> text=new-one');
        await page.click('text=Remove this budget');
        expect(await page.isVisible('text=Removed.'), 'removed');
        expect(await page.locator('#list a >> text=new-one').count() === 0, 'it is still there');
    });
    await check('a budget without a currency is refused, with what to type', async (expect) => {
        await page.goto(`${site.base}/budgets`);
        await page.fill('#f-name', 'x');
        await page.fill('#f-amount', '500');
        await page.click('text=Save');
        expect(await page.isVisible('[role=alert]'), 'no message');
        expect((await page.textContent('main')).includes('500usd'), 'no hint');
    });
    await check('an alert is acknowledged', async (expect) => {
        await page.goto(`${site.base}/alerts`);
        const before = await page.locator('text=Acknowledge').count();
        await page.click('#list button >> nth=0');
        expect(await page.isVisible('text=Acknowledged.'), 'not acknowledged');
        expect(await page.locator('#list button').count() === before - 1, 'it can be acknowledged again');
    });
    await check('a finding is dismissed and restored', async (expect) => {
        await page.goto(`${site.base}/advice`);
        await page.click('button >> text=Dismiss >> nth=0');
        expect(await page.isVisible('text=it is no longer shown'), 'not dismissed');
        await settle(site);
        await page.goto(`${site.base}/advice`);
        await page.click('button >> text=Restore >> nth=0');
        expect(await page.isVisible('text=it is shown again'), 'not restored');
    });
    await check('a job is planned from the form', async (expect) => {
        await page.goto(`${site.base}/plan`);
        await page.fill('#f-model', 'llama-3-8b');
        await page.selectOption('#f-method', 'qlora');
        await page.fill('#f-tokens', '5M');
        await page.click('main button >> text=Plan');
        expect(await page.locator('#plans tbody tr').count() > 1, 'no plans');
        expect(page.url().includes('model=llama-3-8b'), page.url());
    });
    await page.context().close();
}

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const site = await start();
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
try {
    site.token = ask('token', 'add', 'browser', '--scope', 'admin').secret;
    const runs = ask('runs', 'photo-seg', '--limit', '2').runs.map((r) => r.id);
    const paths = ['/', '/runs', `/runs/${runs[0]}`, `/compare?run=${runs[0]}&run=${runs[1]}`, '/plan?model=llama-3-8b&method=lora&tokens=20M',
        '/prices?gpu=H100', '/prices?gpu=A100x8&hours=24h', '/budgets', '/budgets/nlp', '/alerts', '/bills', '/allocation', '/advice'];
    await settle(site);
    for (const look of looks) await checkViews(browser, site, look, paths);
    await checkForms(browser, site);
    await checkScript(browser, site, runs[0]);
    await checkLive(browser, site);
    await checkRestart(browser);
    await checkFirstRun(browser);
    await checkPlain(browser, site);
} finally {
    await browser.close();
    site.server.kill();
}
console.log(`1..${count}`);
process.exitCode = failed > 0 ? 1 : 0;
