/** The frame of every page for partners, and its styles. Nothing in it comes from another site. */

const LINKS = [
  ['/docs', 'Reference'],
  ['/guides', 'Guides'],
  ['/openapi.reference.json', 'OpenAPI'],
] as const;

export const NAME = 'Partner wallets and payments';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Page {
  title: string;
  /** HTML. */
  body: string;
  /** HTML at the end of the list of links. */
  more?: string;
  /** HTML in the head. */
  head?: string;
}

export const page = ({ title, body, more = '', head = '' }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · ${NAME}</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/site.css">
${head}</head>
<body>
<header><nav aria-label="Pages"><a class="name" href="/">${NAME}</a>${LINKS.map(
  ([path, name]) => `<a href="${path}">${name}</a>`,
).join('')}${more}</nav></header>
${body}
</body>
</html>
`;

export const STYLES = `:root{color-scheme:light dark;--bg:#f5f4f0;--surface:#fff;--sunk:#eeece6;--line:#dfdcd3;--ink:#1b1a17;--ink-2:#56534a;--accent:#2f3fb3}
@media (prefers-color-scheme:dark){:root{--bg:#16150f;--surface:#201f19;--sunk:#2a2922;--line:#3a382f;--ink:#f1efe8;--ink-2:#b9b5a8;--accent:#a9b5ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif}
header{border-bottom:1px solid var(--line);background:var(--surface)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;max-width:72rem;margin:0 auto;padding:.75rem 1.25rem}
nav .name{font-weight:600;color:var(--ink);margin-right:auto}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
main.text{max-width:52rem}
main a{text-decoration:underline}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0 1rem}h2{font-size:1.25rem;margin:2rem 0 .5rem}h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
.anchor,main .anchor{color:inherit;text-decoration:none}
main code,main pre,.samples pre{font-family:ui-monospace,"SF Mono","Cascadia Mono","Noto Sans Mono",Menlo,Consolas,monospace;font-size:.875em}
main code{background:var(--sunk);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
main pre,.samples pre{background:var(--sunk);border-radius:7px;padding:1rem;overflow:auto}main pre code,.samples code{background:none;padding:0;overflow-wrap:normal}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}th,td{border-bottom:1px solid var(--line);padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:top}
ul.guides,ul.doors{list-style:none;padding:0;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr))}
ul.guides li,ul.doors li{background:var(--surface);border:1px solid var(--line);border-radius:11px;padding:1rem}
ul.guides p,ul.doors p{margin:.25rem 0 0;color:var(--ink-2);font-size:.9rem}
.lead{color:var(--ink-2);max-width:44rem}
`;
