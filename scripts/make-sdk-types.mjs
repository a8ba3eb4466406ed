/**
 * Writes `sdk/src/schema.ts`, the types of the SDK, from the reference document; with --check it only says whether the
 * file is what it should be. Each schema is a type of its own under its name, so that an editor shows `Wallet` and not
 * all of its fields.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { root } from './build-if-stale.mjs';

const file = join(root, 'sdk', 'src', 'schema.ts');
const HEAD = '/** Made by `npm run sdk` from the reference document: change the schemas of the answers. */\n';

const document = JSON.parse(readFileSync(join(root, 'openapi.reference.json'), 'utf8'));
const text = HEAD + named(astToString(await openapiTS(document)));
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('sdk/src/schema.ts is not what the document says: npm run sdk');
  process.exitCode = 1;
}

/** Takes the members of `components.schemas` out, and refers to each by its name. */
function named(made) {
  const source = ts.createSourceFile('schema.ts', made, ts.ScriptTarget.Latest, true);
  const components = source.statements.find((one) => one.name?.text === 'components');
  const { type: schemas } = components.members.find((one) => one.name.text === 'schemas');
  const types = schemas.members.map((member) => {
    const name = member.name.text;
    const says = made.slice(member.getFullStart(), member.getStart()).trim();
    const of = member.type.getText();
    const head = says === '' ? '' : `${says}\n`;
    return ts.isTypeLiteralNode(member.type)
      ? `${head}export interface ${name} ${of}\n`
      : `${head}export type ${name} = ${of};\n`;
  });
  const names = schemas.members.map(({ name: { text: name } }) => `        ${name}: ${name};\n`);
  const rest = `${made.slice(0, schemas.getStart())}{\n${names.join('')}    }${made.slice(schemas.getEnd())}`;
  return [rest, ...types].join('').replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
}
