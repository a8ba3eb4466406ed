/** `docs/requests/*.http`: each scenario as requests for httpyac, one file each. */
import { fill, readScenarios, type RequestStep, type Scenario } from './scenarios';

/** The files by their path. */
export const httpFiles = (): Record<string, () => string> =>
  Object.fromEntries(
    readScenarios().map((scenario) => [`docs/requests/${scenario.name}.http`, () => httpFile(scenario)]),
  );

/** Once a second, because the rate limit counts these calls too. */
const head = ({
  name,
  file,
}: Scenario): string => `# ${name}, for httpyac. Made by \`npm run reference\` from ${file}: change that.
@baseUrl = {{process.env.WALLET_BASE_URL ?? 'http://localhost:3000'}}
@apiKey = {{process.env.WALLET_API_KEY}}

{{
  exports.run = Math.random().toString(16).slice(2, 10);
  exports.untilEvent = async (event, id) => {
    for (let looks = 0; looks < 60; looks++) {
      const headers = { authorization: \`Bearer \${apiKey}\` };
      const answer = await fetch(\`\${baseUrl}/v1/events?event=\${event}\`, { headers });
      const { data } = await answer.json();
      if (data.some((one) => [one.data.id, one.data.user_ref, one.data.session_id].includes(id))) return;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    throw new Error(\`\${event} did not come\`);
  };
}}
`;

function httpFile(scenario: Scenario): string {
  const { steps } = scenario;
  const placeOf = (id: string, field: string | null): string => {
    if (field === null) return id;
    return `${id}.${steps.find((step) => step.id === id)?.inData ? 'data.' : ''}${field}`;
  };
  return [head(scenario), ...steps.map((step) => requestText(step, placeOf))].join('\n');
}

function requestText(step: RequestStep, placeOf: (id: string, field: string | null) => string): string {
  const { id, summary, method, path, headers, body, expect, wait, isKeyed, inData } = step;
  const filled = (text: string): string => fill(text, (one, field) => `{{${placeOf(one, field)}}}`);
  const json = body && JSON.stringify(body, null, 2);
  const { code, ...fields } = expect ?? {};
  const lines = [
    `### ${summary}`,
    ...(json?.includes('${soon}')
      ? ['{{', '  exports.soon = new Date(Date.now() + 2000).toISOString();', '}}']
      : []),
    `# @name ${id}`,
    `${method} {{baseUrl}}${filled(path)}`,
    'Authorization: Bearer {{apiKey}}',
    ...(json ? ['Content-Type: application/json'] : []),
    ...(isKeyed ? ['Idempotency-Key: {{$random.uuid}}'] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(json ? ['', filled(json)] : []),
    '',
    code === undefined ? '?? status < 300' : `?? body error == ${plain(code)}`,
    ...Object.entries(fields).map(
      ([name, value]) => `?? body ${inData ? 'data.' : ''}${name} == ${plain(value)}`,
    ),
    ...(wait
      ? ['', '{{', `  await untilEvent('${wait.event}', ${expression(wait.resource_id, placeOf)});`, '}}']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A text with places as an expression of JavaScript. */
function expression(text: string, placeOf: (id: string, field: string | null) => string): string {
  const [, id = '', field] = /^\$\{(\w+)\.(\w+)\}$/.exec(text) ?? [];
  if (field !== undefined) return placeOf(id, field);
  return `\`${fill(text, (one, of) => `\${${placeOf(one, of)}}`)}\``;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
