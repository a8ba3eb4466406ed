/** `/docs`: the reference document as a page to read and to try, in Swagger UI, with how each operation is called as code. */
import { page } from './layout';

export const REFERENCE_PAGE = page({
  title: 'Reference',
  head: '<link rel="stylesheet" href="/docs/swagger-ui.css">\n<link rel="stylesheet" href="/docs/reference.css">\n',
  body: `<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/init.js"></script>`,
});

/** Swagger UI has one theme, which is light. */
export const REFERENCE_STYLES = `body{color-scheme:light;--bg:#fff;--surface:#fff;--sunk:#eeece6;--line:#dfdcd3;--ink:#1b1a17;--ink-2:#56534a;--accent:#2f3fb3}
.samples{padding:0 20px 10px}.samples [role=tablist]{display:flex;gap:4px}
.samples [role=tab]{border:1px solid var(--line);background:none;border-radius:7px 7px 0 0;padding:6px 12px;font:inherit;cursor:pointer}
.samples [role=tab][aria-selected=true]{background:var(--sunk);font-weight:600}
.samples pre{margin:0;border-radius:0 7px 7px 7px;font-size:12px;line-height:1.5}
`;

/**
 * - `validatorUrl` is null, because the badge of the validator would send a request to another site.
 * - The samples stand above the answers of an operation that is open. The chosen language stays for the next one.
 */
export const REFERENCE_SCRIPT = `const samples = () => ({
  wrapComponents: {
    responses: (Original, { React, specSelectors }) => {
      const h = React.createElement;
      let chosen = 0;
      const Samples = ({ all }) => {
        const [shown, show] = React.useState(chosen);
        const tabs = all.map(({ label }, place) => h('button', { key: label, type: 'button', role: 'tab',
          'aria-selected': place === shown, onClick: () => { chosen = place; show(place); } }, label));
        return h('div', { className: 'samples' }, h('h4', null, 'Code'),
          h('div', { role: 'tablist', 'aria-label': 'Language' }, tabs),
          h('pre', { role: 'tabpanel', tabIndex: 0 }, h('code', null, all[shown].source)));
      };
      return (props) => {
        const found = specSelectors.specJson().getIn(['paths', props.path, props.method, 'x-codeSamples']);
        const rest = h(Original, props);
        return found ? h(React.Fragment, null, h(Samples, { all: found.toJS() }), rest) : rest;
      };
    },
  },
});
const ui = SwaggerUIBundle({
  url: '/openapi.reference.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [samples],
  async onComplete() {
    const { key } = await (await fetch('/docs/key.json')).json();
    if (key !== null) ui.preauthorizeApiKey('apiKey', key);
  },
});
`;
