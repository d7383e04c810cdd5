// Makes the page quicker and more convenient; everything works without it.
'use strict';

(() => {
    const main = document.getElementById('main');
    const live = document.body.dataset.live === 'yes';

    // On a phone the views are one line that scrolls.
    const view = document.querySelector('.views [aria-current]');
    if (view) view.closest('.views').scrollLeft = view.offsetLeft - view.closest('.views').offsetLeft - 40;

    function element(name, text, ...inside) {
        const made = document.createElement(name);
        made.append(...(text ? [text] : []), ...inside);
        return made;
    }

    // ---- parts that are replaced ----

    // What an element is, wherever it is by now: rows move up and down as runs come and go.
    const rowKey = (row) => row.querySelector('input[type=checkbox]')?.value ?? row.querySelector('a')?.getAttribute('href');
    // The address of a column's title changes with the order: its words do not.
    const keyOf = (e) => e.id || (e.closest('thead') ? e.textContent : [e.tagName, ...['href', 'name', 'value', 'aria-label']
        .map((name) => e.getAttribute(name)), e.closest('tbody tr') && rowKey(e.closest('tbody tr'))].join('|'));

    function focusOf(part) {
        const at = document.activeElement;
        return at && part.contains(at) ? keyOf(at) : null;
    }

    function putFocus(part, focus) {
        if (focus === null) return;
        const all = [...part.querySelectorAll('a, button, input, select, textarea, [tabindex]')];
        all.find((e) => keyOf(e) === focus)?.focus({ preventScroll: true });
    }

    // What was ticked, scrolled, opened and selected in one part is so in the next.
    const byKey = (all, key) => new Map([...all].map((e, i) => [key(e) ?? i, e]));

    function carry(old, part, selector, key, set) {
        const before = byKey(old.querySelectorAll(selector), key);
        for (const [k, e] of byKey(part.querySelectorAll(selector), key)) if (before.has(k)) set(e, before.get(k));
    }

    const ticked = (part) => [...part.querySelectorAll('input:checked')].map((box) => box.value);
    const boxes = (part) => [...part.querySelectorAll('input[type=checkbox]')].map((box) => box.value);

    // Would the next part lose what somebody types, or a row that is ticked?
    const isEdited = (old, part) => old.matches('form') || !!old.querySelector('input:not([type=checkbox]):focus, select:focus, textarea:focus')
        || ticked(old).some((value) => !boxes(part).includes(value));

    // Is there anything that a new page would lose?
    const isTyping = () => [...document.querySelectorAll('input, textarea, select')].some((f) => f === document.activeElement || f.checked
        || (f.defaultValue !== undefined && f.value !== f.defaultValue));

    function replacePart(old, part) {
        if (old.outerHTML === part.outerHTML) return;
        const focus = focusOf(old);
        const scrolls = new Map([...old.querySelectorAll('.scroll')].map((s) => [s, s.scrollLeft]));
        old.replaceWith(part);
        carry(old, part, '.scroll', (s) => s.getAttribute('aria-label'), (s, was) => { s.scrollLeft = scrolls.get(was); });
        carry(old, part, 'details', (d) => d.querySelector('summary').textContent, (d, was) => { d.open = was.open; });
        carry(old, part, 'tbody input[type=checkbox]', (box) => box.value, (box, was) => { box.checked = was.checked; });
        carry(old, part, 'tbody tr', rowKey, (row, was) => {
            if (was.getAttribute('aria-selected') === 'true') row.setAttribute('aria-selected', 'true');
        });
        putFocus(part, focus);
    }

    // Parts with data-part of the page that came replace those of the same id; a page of another shape is loaded.
    function replaceParts(text, keepEdited) {
        const page = new DOMParser().parseFromString(text, 'text/html');
        const parts = [...page.querySelectorAll('[data-part]')];
        const olds = [...document.querySelectorAll('[data-part]')];
        if (parts.map((p) => p.id).join() !== olds.map((p) => p.id).join()) return false;
        parts.forEach((part, i) => { if (!keepEdited || !isEdited(olds[i], part)) replacePart(olds[i], document.adoptNode(part)); });
        document.title = page.title;
        return true;
    }

    // ---- what is wrong with what is shown ----

    function say(text, link) {
        document.getElementById('behind')?.remove();
        if (!text) return;
        const remark = element('p', text);
        if (link) remark.append(' ', Object.assign(element('a', link), { href: location.href }));
        Object.assign(remark, { id: 'behind', className: 'remark warning' });
        remark.setAttribute('role', 'status');
        main.querySelector('.top').after(remark);
    }

    function sayWhy(answer) {
        if (answer?.redirected) say('You are signed out: this page no longer follows what is recorded.', 'Sign in again');
        else if (!answer?.ok) say('The server does not answer: this page is as of the time above.');
        else say('');
    }

    // ---- loading ----

    let loading = null;

    // What somebody asked for goes before what is only new, and a page that takes long gets here before it is asked for again.
    async function load(url, how) {
        if (how === 'live' && loading) {
            loading.again = true;
            return;
        }
        loading?.stop.abort();
        const mine = loading = { stop: new AbortController(), again: false };
        try {
            const headers = { Accept: 'text/html', ...(how === 'live' && { 'Cache-Control': 'no-cache' }) };
            const answer = await fetch(url, { signal: mine.stop.signal, headers });
            const shown = answer.ok && !answer.redirected && replaceParts(await answer.text(), how === 'live');
            if (how === 'live' && answer.ok && !answer.redirected && !shown && !isTyping()) location.reload();
            else if (how === 'live') sayWhy(answer);
            else if (!shown) location.href = url;
            else if (how === 'push') history.pushState(null, '', url);
        } catch (error) {
            if (error.name === 'AbortError') return;
            if (how === 'live') sayWhy(null);
            else location.href = url;
        } finally {
            if (loading === mine) loading = null;
            if (mine.again) refreshSoon();
        }
    }

    // ---- sorting, paging and filters without a new page ----

    document.addEventListener('click', (event) => {
        const link = event.target.closest('a[data-swap]');
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        load(link.href, 'push');
    });
    addEventListener('popstate', () => load(location.href, 'back'));

    document.addEventListener('submit', (event) => {
        const form = event.target;
        if (!form.matches('form[data-swap]')) return;
        event.preventDefault();
        const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
        load(form.getAttribute('action') + '?' + query, 'push');
    });
    document.addEventListener('change', (event) => {
        if (event.target.matches('form[data-swap] select')) event.target.form.requestSubmit();
    });

    // ---- live ----

    let waiting = 0;
    let source = null;

    function refreshSoon() {
        if (waiting || document.hidden) return;
        waiting = setTimeout(() => { waiting = 0; load(location.href, 'live'); }, 250);
    }

    // Browsers have six connections to a server for all tabs together: a hidden one does not listen.
    function listen() {
        if (source || document.hidden) return;
        source = new EventSource('/events');
        source.addEventListener('changed', refreshSoon);
        source.addEventListener('error', () => {
            refreshSoon();
            if (source?.readyState !== EventSource.CLOSED) return;
            source = null;
            setTimeout(listen, 5000);
        });
        source.addEventListener('open', () => { if (document.getElementById('behind')) refreshSoon(); });
    }

    function listenNoMore() {
        source?.close();
        source = null;
    }

    function seen() {
        if (document.hidden) return listenNoMore();
        listen();
        refreshSoon();
    }
    if (live && 'EventSource' in globalThis) {
        listen();
        document.addEventListener('visibilitychange', seen);
        addEventListener('pagehide', listenNoMore);
        addEventListener('pageshow', (event) => { if (event.persisted) seen(); });
    }

    // ---- keys ----

    const views = Object.fromEntries([...document.querySelectorAll('.views a[data-key]')].map((a) => [a.dataset.key, a]));
    let after = '';

    // What needs the script is made by it: a text browser shows no keys that do nothing.
    function makeHelp() {
        const keys = [['/', 'find runs'], ['j k', 'next and previous row; Enter opens it'], ['x', 'select the row'], ['c', 'compare the selected runs'],
            ...Object.entries(views).map(([key, link]) => ['g ' + key, link.textContent])];
        const list = element('dl'), title = element('h2', 'Keys'), form = element('form', '', element('button', 'Close'));
        const help = element('dialog', '', title, list, form);
        list.className = 'keys';
        for (const [names, what] of keys)
            list.append(element('dt', '', ...names.split(' ').flatMap((name) => [element('kbd', name), ' '])), element('dd', what));
        help.id = 'help';
        title.id = 'help-title';
        help.setAttribute('aria-labelledby', 'help-title');
        form.method = 'dialog';
        document.body.append(help);
        return help;
    }

    function showHelp() {
        const help = document.getElementById('help') ?? makeHelp();
        if (!help.open) help.showModal();
    }
    if (Object.keys(views).length > 0) {
        const button = element('button', 'Keys (?)');
        button.type = 'button';
        button.className = 'plain keys-button';
        button.addEventListener('click', showHelp);
        document.querySelector('.side > div').append(button);
    }

    function rows() {
        return [...main.querySelectorAll('tbody tr')].filter((r) => r.querySelector('a'));
    }

    function moveRow(by) {
        const all = rows();
        const at = all.findIndex((r) => r.getAttribute('aria-selected') === 'true');
        const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
        if (!next) return;
        all[at]?.removeAttribute('aria-selected');
        next.setAttribute('aria-selected', 'true');
        next.querySelector('a').focus({ preventScroll: true });
        next.scrollIntoView({ block: 'nearest' });
    }

    document.addEventListener('keydown', (event) => {
        const at = event.target;
        if (event.ctrlKey || event.metaKey || event.altKey || at.closest?.('input:not([type=checkbox]), select, textarea, dialog')) return;
        if (after === 'g' && views[event.key]) location.href = views[event.key].href;
        else if (event.key === '/') document.getElementById('find')?.focus();
        else if (event.key === '?') showHelp();
        else if (event.key === 'j') moveRow(1);
        else if (event.key === 'k') moveRow(-1);
        else if (event.key === 'x') main.querySelector('tr[aria-selected=true] input[type=checkbox]')?.click();
        else if (event.key === 'c') document.querySelector('button[data-compare]')?.click();
        else { after = event.key === 'g' ? 'g' : ''; return; }
        after = '';
        event.preventDefault();
    });

    // ---- zoom: drag over a figure; the server draws it again ----

    function placeIn(plot, x) {
        const box = plot.getBoundingClientRect();
        return Math.max(0, Math.min(1, (x - box.left) / box.width));
    }

    let zoom = null;

    // A finger on a figure scrolls the page.
    document.addEventListener('pointerdown', (event) => {
        const plot = event.target.closest?.('rect.plot');
        if (!plot || event.button !== 0 || event.pointerType === 'touch') return;
        const mark = plot.cloneNode();
        mark.setAttribute('class', 'zoom-mark');
        mark.setAttribute('width', '0');
        zoom = { plot, mark, from: placeIn(plot, event.clientX) };
        plot.before(mark);
        event.preventDefault();
    });
    document.addEventListener('pointermove', (event) => {
        if (!zoom) return;
        const to = placeIn(zoom.plot, event.clientX);
        const left = Number(zoom.plot.getAttribute('x'));
        const width = Number(zoom.plot.getAttribute('width'));
        zoom.mark.setAttribute('x', left + width * Math.min(zoom.from, to));
        zoom.mark.setAttribute('width', width * Math.abs(to - zoom.from));
    });
    document.addEventListener('pointercancel', () => {
        zoom?.mark.remove();
        zoom = null;
    });
    document.addEventListener('pointerup', (event) => {
        if (!zoom) return;
        const { plot, mark, from } = zoom;
        const to = placeIn(plot, event.clientX);
        const low = Number(plot.dataset.low);
        const span = Number(plot.dataset.high) - low;
        mark.remove();
        zoom = null;
        if (Math.abs(to - from) < 0.02) return;
        const url = new URL(location.href);
        url.searchParams.set('from', Math.floor(low + span * Math.min(from, to)));
        url.searchParams.set('to', Math.ceil(low + span * Math.max(from, to)));
        load(url.href, 'push');
    });
})();
