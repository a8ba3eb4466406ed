/**
 * How an operation is called, as code in four languages: with curl, with the SDK, and from Python and Go, which need no client.
 * The key and the address come from the environment, as in the guides.
 */

type Json = Record<string, unknown>;

/** What a call needs, read from an operation of the reference document. */
interface Sampled {
  method: string;
  /** With an example for each of its parameters, and the query that it needs. */
  path: string;
  /** The name of the method in the SDK. */
  sdk: string;
  /** The arguments of the method in the SDK before the body. */
  inPath: readonly string[];
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  answers: 'json' | 'pages' | 'stream' | 'nothing';
}

export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python' | 'Go';
  label: string;
  source: string;
}

/** The samples of an operation, under `x-codeSamples`, which the pages of several makers of documentation show. */
export const samplesOf = (method: string, path: string, operation: Json): CodeSample[] => {
  const sampled = read(method, path, operation);
  return [
    { lang: 'Shell', label: 'curl', source: curl(sampled) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScript(sampled) },
    { lang: 'Python', label: 'Python', source: python(sampled) },
    { lang: 'Go', label: 'Go', source: go(sampled) },
  ];
};

const EXAMPLE_ID = '0198c0de-0000-7000-8000-000000000001';
const EXAMPLE_KEY = 'order-1001';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: { examples?: string[]; enum?: string[] };
}

function read(method: string, template: string, operation: Json): Sampled {
  const parameters = (operation['parameters'] ?? []) as Parameter[];
  const query = Object.fromEntries(
    parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => [name, schema?.examples?.[0] ?? schema?.enum?.[0] ?? 'text']),
  );
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(() => EXAMPLE_ID);
  const search = new URLSearchParams(query);
  const content = (operation['requestBody'] as { content?: Json } | undefined)?.content;
  const json = content?.['application/json'] as { example?: unknown } | undefined;
  const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  return {
    method: method.toUpperCase(),
    path: `${template.replaceAll(/\{\w+\}/g, EXAMPLE_ID)}${search.size > 0 ? `?${search.toString()}` : ''}`,
    sdk: operation['x-sdk'] as string,
    inPath,
    query,
    headers: {
      ...((operation['security'] as unknown[] | undefined)?.length === 0
        ? {}
        : { Authorization: 'Bearer $WALLET_API_KEY' }),
      ...(isKeyed && { 'Idempotency-Key': EXAMPLE_KEY }),
      ...(json && { 'Content-Type': 'application/json' }),
    },
    body: json?.example,
    answers: answersOf(operation),
  };
}

function answersOf(operation: Json): Sampled['answers'] {
  const responses = operation['responses'] as Record<string, { content?: Record<string, Json> }>;
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (success?.content?.['text/event-stream']) return 'stream';
  const schema = success?.content?.['application/json']?.['schema'] as
    | { properties?: { meta?: { $ref?: string } } }
    | undefined;
  if (!schema) return 'nothing';
  return schema.properties?.meta?.$ref?.endsWith('/PageMeta') ? 'pages' : 'json';
}

function curl({ method, path, headers, body, answers }: Sampled): string {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`;
  const lines = [
    `curl${answers === 'stream' ? ' -N' : ''}${verb} "$WALLET_BASE_URL${path}"`,
    ...Object.entries(headers).map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`  -d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`]),
  ];
  return lines.join(' \\\n');
}

/** The client of the SDK. */
const CLIENT = 'WalletClient';

function typeScript({ sdk, inPath, query, headers, body, answers }: Sampled): string {
  const given = [
    ...inPath.map((id) => `'${id}'`),
    ...(body === undefined ? [] : [literal(body)]),
    ...(Object.keys(query).length > 0 ? [literal(query)] : []),
    ...(headers['Idempotency-Key'] ? [`{ idempotencyKey: '${EXAMPLE_KEY}' }`] : []),
  ];
  const call = `client.${sdk}(${given.join(', ')})`;
  return [
    `import { ${CLIENT} } from '@partner-wallet/sdk';`,
    '',
    `const client = new ${CLIENT}(); // reads WALLET_API_KEY and WALLET_BASE_URL`,
    ...(answers === 'pages' || answers === 'stream'
      ? [`for await (const one of ${call}) console.log(one);`]
      : answers === 'nothing'
        ? [`await ${call};`]
        : [`console.log(await ${call});`]),
  ].join('\n');
}

/** As a person writes it: names without quotes, and one line where it is short. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, `${indent}  `))
    : Object.entries(value).map(
        ([name, one]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(one, `${indent}  `)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const blank = open === '{' ? ' ' : '';
  const short = `${open}${blank}${parts.join(', ')}${blank}${close}`;
  if (short.length + indent.length < 60 && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${indent}  ${part},`).join('\n')}\n${indent}${close}`;
}

function python({ method, path, headers, body, answers }: Sampled): string {
  const { 'Content-Type': _json, ...others } = headers;
  const given = Object.entries(others).map(([name, value]) =>
    value.includes('$WALLET_API_KEY')
      ? `        "${name}": f"Bearer {os.environ['WALLET_API_KEY']}",`
      : `        "${name}": "${value}",`,
  );
  return [
    'import os',
    '',
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    f"{os.environ['WALLET_BASE_URL']}${path}",`,
    ...(given.length > 0 ? ['    headers={', ...given, '    },'] : []),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body)},`]),
    ...(answers === 'stream' ? ['    stream=True,'] : []),
    '    timeout=30,',
    ')',
    'answer.raise_for_status()',
    ...(answers === 'stream'
      ? ['for line in answer.iter_lines():', '    print(line.decode())']
      : answers === 'nothing'
        ? ['print(answer.status_code)']
        : ['print(answer.json()["data"])']),
  ].join('\n');
}

/** Outside of its texts, JSON and Python differ in three words. */
const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replaceAll(/("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g, (all, text?: string) =>
      text === undefined ? ({ true: 'True', false: 'False', null: 'None' }[all] ?? all) : all,
    )
    .replaceAll('\n', '\n    ');

function go({ method, path, headers, body }: Sampled): string {
  const given = Object.entries(headers).map(([name, value]) =>
    value.includes('$WALLET_API_KEY')
      ? `\trequest.Header.Set("${name}", "Bearer "+os.Getenv("WALLET_API_KEY"))`
      : `\trequest.Header.Set("${name}", "${value}")`,
  );
  const text = body === undefined ? null : JSON.stringify(body, null, 2).replaceAll('\n', '\n\t');
  return [
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"log"',
    '\t"net/http"',
    '\t"os"',
    ...(text === null ? [] : ['\t"strings"']),
    ')',
    '',
    'func main() {',
    ...(text === null ? [] : [`\tbody := strings.NewReader(\`${text}\`)`]),
    `\trequest, err := http.NewRequest("${method}", os.Getenv("WALLET_BASE_URL")+"${path}", ${text === null ? 'nil' : 'body'})`,
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    ...given,
    '\tanswer, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\ttext, err := io.ReadAll(answer.Body)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\tfmt.Println(answer.Status, string(text))',
    '}',
  ].join('\n');
}
