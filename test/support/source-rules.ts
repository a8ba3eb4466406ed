/**
 * Rules about the text of the source that an import graph cannot see. They read its syntax tree, so
 * comments may name what code may not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { TRANSACTION_TYPES } from '../../src/domain/transaction-types';

const ROOT = join(__dirname, '..', '..');

export interface SourceRule {
  /** What the rule demands, as the name of a test. */
  readonly name: string;
  /** Files and folders where the rule holds; everywhere if none are named. */
  readonly only?: readonly string[];
  /** Files and folders where the rule does not hold. */
  readonly except: readonly string[];
  /** The finding about this piece of code; null if there is none. */
  readonly finds: (node: ts.Node) => string | null;
}

/** The text of any kind of string; each expression in a template counts as an `x`. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('x');
}

const SQL =
  /\b(SELECT|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|(CREATE|ALTER|DROP)\s+(TABLE|INDEX|SCHEMA|ROLE|DATABASE)|TRUNCATE\s+\S|GRANT\s|REVOKE\s|ROLLBACK|COMMIT)\b/;

const WIRE_NAME =
  /^(\w+_(kobo|naira)|customerFee|merchantFee|platformFee|mfbCost|netAmount|PartnerID|UserRef|Currency|Status|AccountNumber|AccountName|BankCode|BankName|MFBReference|AccountStatus|Metadata|CreatedAt|UpdatedAt)$/;

const COMPARISONS = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
];
const isTransactionType = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) && (TRANSACTION_TYPES as readonly string[]).includes(node.text);

/** A type of transaction in SQL beside a comparison: `type = '...'`, `type <> '...'`, `type IN ('...'`. */
const TYPE_IN_SQL = new RegExp(
  `\\btype\\s*(=|<>|!=|(NOT\\s+)?IN\\s*\\()[^)]*'(${TRANSACTION_TYPES.join('|')})'`,
);

const isEnvironmentName = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) && ['sandbox', 'live'].includes(node.text);

/** The properties by which a cell or an environment reaches the relay, Temporal and the ledger. */
const TELLERS = ['relay', 'temporal', 'ledger'];
const isFormName = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) && ['reference', 'guide', 'quickstart'].includes(node.text);

export const SOURCE_RULES: readonly SourceRule[] = [
  {
    name: 'SQL occurs only in src/db and migrations',
    except: ['src/db/', 'migrations/'],
    finds(node) {
      const text = textOf(node);
      return text !== null && SQL.test(text) ? `SQL: ${text.trim().slice(0, 60)}` : null;
    },
  },
  {
    name: 'only src/runtime/config.ts reads process.env',
    except: ['src/runtime/config.ts'],
    finds(node) {
      const named = ts.isPropertyAccessExpression(node) && node.name.text === 'env';
      const bracketed = ts.isElementAccessExpression(node) && textOf(node.argumentExpression) === 'env';
      if ((named || bracketed) && node.expression.getText() === 'process') return node.getText();
      const taken = ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'env';
      const from = taken && ts.isVariableDeclaration(node.parent.parent) && node.parent.parent.initializer;
      return from && from.getText() === 'process' ? node.getText() : null;
    },
  },
  {
    // A funding also has a source called sandbox, which is not the environment.
    name: "the environment's name is compared only in src/runtime/environment.ts",
    except: ['src/runtime/environment.ts', 'src/domain/postings.ts'],
    finds(node) {
      const compared = ts.isBinaryExpression(node) && COMPARISONS.includes(node.operatorToken.kind);
      if (compared && [node.left, node.right].some(isEnvironmentName)) return node.getText();
      return ts.isCaseClause(node) && isEnvironmentName(node.expression) ? node.expression.getText() : null;
    },
  },
  {
    // Code reads the facts of a kind in the row of the kind. A migration's CHECK repeats the types, and a test
    // compares the two.
    name: "a transaction's type is compared only in src/domain/kinds",
    except: ['src/domain/kinds/', 'src/domain/transaction-types.ts', 'migrations/'],
    finds(node) {
      if (ts.isBinaryExpression(node) && COMPARISONS.includes(node.operatorToken.kind)) {
        return [node.left, node.right].some(isTransactionType) ? node.getText() : null;
      }
      if (ts.isCaseClause(node)) return isTransactionType(node.expression) ? node.expression.getText() : null;
      // A list or a table of types is also a comparison, which happens later.
      if (ts.isArrayLiteralExpression(node)) {
        return node.elements.length > 0 && node.elements.every(isTransactionType) ? node.getText() : null;
      }
      if (ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) {
        const name = node.name.getText().replace(/['"]/g, '');
        // A reversal is also an ordinary field of a record.
        const isType = (TRANSACTION_TYPES as readonly string[]).includes(name) && name !== 'reversal';
        return isType ? name : null;
      }
      const text = textOf(node);
      return text !== null && TYPE_IN_SQL.test(text) ? `SQL: ${text.trim().slice(0, 60)}` : null;
    },
  },
  {
    // The domain also calls one use of a reference by such a word, which is not the form.
    name: "a form's name is compared only in src/wire/forms.ts",
    except: ['src/wire/forms.ts', 'src/domain/'],
    finds(node) {
      const compared = ts.isBinaryExpression(node) && COMPARISONS.includes(node.operatorToken.kind);
      if (compared && [node.left, node.right].some(isFormName)) return node.getText();
      return ts.isCaseClause(node) && isFormName(node.expression) ? node.expression.getText() : null;
    },
  },
  {
    // The demo is a partner's program, a migration names columns, and a metric has its unit in its name.
    name: 'wire names occur only in src/wire; columns are named in src/db',
    except: ['src/wire/', 'src/db/', 'migrations/', 'src/monitoring/'],
    finds(node) {
      const named = ts.isPropertyName(node) && ts.isIdentifier(node) ? node.text : textOf(node);
      const isType = ts.isTypeReferenceNode(node.parent) || ts.isTypeAliasDeclaration(node.parent);
      const isImported = ts.isImportSpecifier(node.parent);
      return named !== null && WIRE_NAME.test(named) && !isType && !isImported ? named : null;
    },
  },
  {
    // An operation commits and wakes others itself. A route that did so could forget one of the two.
    name: 'src/api reaches no relay, no Temporal client and no ledger',
    only: ['src/api/'],
    except: [],
    finds(node) {
      if (ts.isPropertyAccessExpression(node))
        return TELLERS.includes(node.name.text) ? node.getText() : null;
      const taken = ts.isBindingElement(node) ? (node.propertyName ?? node.name).getText() : '';
      return TELLERS.includes(taken) ? node.getText() : null;
    },
  },
  {
    name: 'a route takes from src/db only what reads',
    only: ['src/api/routes/', 'src/api/operator/routes/'],
    except: [],
    finds(node) {
      if (!ts.isImportSpecifier(node) || ts.isTypeOnlyImportDeclaration(node)) return null;
      const from = textOf(node.parent.parent.parent.moduleSpecifier) ?? '';
      const name = (node.propertyName ?? node.name).text;
      return from.includes('/db/') && !/^(find|list|is)[A-Z]/.test(name) ? name : null;
    },
  },
  {
    name: 'nothing is called held but what holds set aside (R40)',
    except: [
      'src/domain/holds.ts',
      'src/db/payments/holds.ts',
      'src/api/routes/holds.ts',
      'migrations/cell/018_holds.ts',
    ],
    finds(node) {
      const text = ts.isIdentifier(node) ? node.text : (textOf(node) ?? '');
      // The amount that open holds have set aside of a wallet, by its few names.
      const others = text.replace(/\b(?:heldKobo|held_kobo|was_held|held_mismatch)\b/g, '');
      return /(?<![a-z])held(?![a-z])|Held|HELD/.test(others) ? text.trim().slice(0, 60) : null;
    },
  },
];

/** Whether the rule holds in a file. */
const holdsIn = ({ only, except }: SourceRule, file: string): boolean =>
  (!only || only.some((path) => file.startsWith(path))) && !except.some((path) => file.startsWith(path));

/** What each rule finds in the repository, each finding with its file and line, and in how many files it has looked. */
export function findEverywhere(): Map<SourceRule, { files: number; findings: string[] }> {
  const found = new Map(SOURCE_RULES.map((rule) => [rule, { files: 0, findings: [] as string[] }]));
  const files = ['src', 'migrations']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  for (const file of files) {
    const source = parse(readFileSync(join(ROOT, file), 'utf8'));
    for (const [rule, sum] of found) {
      if (!holdsIn(rule, file)) continue;
      sum.files += 1;
      sum.findings.push(...findingsAt(rule, source).map((finding) => `${file}:${finding}`));
    }
  }
  return found;
}

const parse = (text: string): ts.SourceFile =>
  ts.createSourceFile('any.ts', text, ts.ScriptTarget.Latest, true);

/** What a rule finds in a text, each as `line: finding`. */
export const findingsOf = (rule: SourceRule, text: string): string[] => findingsAt(rule, parse(text));

function findingsAt(rule: SourceRule, source: ts.SourceFile): string[] {
  const findings: string[] = [];
  const look = (node: ts.Node): void => {
    const finding = rule.finds(node);
    if (finding !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      findings.push(`${line + 1}: ${finding}`);
    }
    ts.forEachChild(node, look);
  };
  ts.forEachChild(source, look);
  return findings;
}
