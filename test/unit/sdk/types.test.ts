/** What an editor shows of the SDK: names, as `Wallet`, and not all the fields of what is behind them. */
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(__dirname, '../../../sdk');
const path = join(folder, 'editor.ts');
const CODE = `
import { WalletClient, type BankTransferRequest, type Transaction, type Wallet } from './src/index.ts';
declare const client: WalletClient;
declare const transfer: BankTransferRequest;
export const wallet = await client.wallets.freeze('id');
export const opened = await client.wallets.get('id');
export const inner = opened.wallet;
export const sent = await client.transfers.bank(transfer);
export const account = sent.dest_account;
export const page = await client.transactions.list().page();
export const final = await client.transactions.untilFinal('id');
export const volumes = await client.volumes.list();
export const same: [Wallet, Transaction] = [wallet, sent];
export const groups = client;
`;
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  allowImportingTsExtensions: true,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

const host = ts.createCompilerHost(OPTIONS);
const { getSourceFile, fileExists } = host;
host.fileExists = (name) => name === path || fileExists(name);
host.getSourceFile = (name, options) =>
  name === path ? ts.createSourceFile(name, CODE, options, true) : getSourceFile(name, options);
const program = ts.createProgram([path], OPTIONS, host);
const checker = program.getTypeChecker();
const source = program.getSourceFile(path)!;
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(source)!).map((one) => [one.name, one]),
);
const typeOf = (symbol: ts.Symbol): ts.Type => checker.getTypeOfSymbolAtLocation(symbol, source);
const shown = (name: string): string => checker.typeToString(typeOf(exported.get(name)!));

test('the example is right', () => {
  expect(ts.getPreEmitDiagnostics(program, source).map(({ messageText }) => messageText)).toEqual([]);
});

test.each([
  ['wallet', 'Wallet'],
  ['opened', 'WalletWithBalance'],
  ['inner', 'Wallet'],
  ['sent', 'Transaction'],
  ['account', 'DestinationAccount | null'],
  ['page', 'Page<Transaction>'],
  ['final', 'Transaction'],
  ['volumes', 'Volume[]'],
  ['groups', 'WalletClient'],
])('%s is shown as %s', (name, type) => expect(shown(name)).toBe(type));

/** As the editor shows each method of each group: `wallets.get(id: string, options?: CallOptions): Call<...>`. */
const methods = typeOf(exported.get('groups')!)
  .getProperties()
  .flatMap((group) =>
    typeOf(group)
      .getProperties()
      .flatMap((method) =>
        typeOf(method)
          .getCallSignatures()
          .map((signature): [string, string] => [
            `${group.name}.${method.name}`,
            checker.signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation),
          ]),
      ),
  )
  .filter(([name]) => !name.startsWith('#'));

test('there are methods to look at', () => expect(methods.length).toBeGreaterThan(100));

test.each(methods)('%s takes and gives what has a name', (_name, signature) => {
  expect(signature).not.toMatch(/[{<]\s*\w+\??:|\w+<"|import\(/);
});

/** All that is in the index, by name. */
const index = new Set(
  checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(folder, 'src/index.ts'))!)!)
    .map(({ name }) => name),
);

test('every name that a method shows can be imported', () => {
  const OF_LANGUAGE = ['Promise', 'AsyncGenerator', 'TReturn', 'TNext'];
  const names = methods.flatMap(([, signature]) => signature.match(/\b[A-Z]\w+/g) ?? []);
  expect([...new Set(names)].filter((name) => !index.has(name) && !OF_LANGUAGE.includes(name))).toEqual([]);
});
