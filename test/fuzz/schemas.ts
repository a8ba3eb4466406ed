/** Values that fit a schema of the document, so that requests also pass validation. */
import fc from 'fast-check';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** Stands for a value that the platform knows, which is filled in when the request is sent. */
export interface Pick {
  known: string;
  index: number;
  otherwise: unknown;
}
export const isPick = (value: unknown): value is Pick =>
  typeof value === 'object' && value !== null && 'known' in value && 'otherwise' in value;

/** Fields whose values mean something only when the platform gave them before. */
const KNOWN_FIELDS =
  /(?:wallet|_wallet_id|^wallet_id|transaction_id|session_id|verification_id|reference|user_ref|userRef|bank_code|account_number|^id|cursor)$/;
/** Fields whose value can be used once, so most values are new. `qr_reference` names an existing one. */
const SINGLE_USE = /^(?:reference|user_ref|userRef)$/;

/** Values for a schema. @param find the schema behind a reference. */
export function valuesOf(
  schema: Schema,
  find: (reference: string) => Schema,
  name = '',
): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(find(schema.$ref), find, name);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, find, name)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type] = [schema.type].flat();
  const plain = plainValues(type ?? 'string', schema, find);
  if (!KNOWN_FIELDS.test(name)) return plain;
  const known = name.includes('wallet') ? 'wallet' : name;
  const pick = fc.record({ known: fc.constant(known), index: fc.nat(), otherwise: plain });
  const weight = SINGLE_USE.test(name) ? 1 : 20;
  return fc.oneof({ weight, arbitrary: pick }, { weight: 3, arbitrary: plain });
}

function plainValues(
  type: string,
  schema: Schema,
  find: (reference: string) => Schema,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, find), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return schema.properties
        ? objects(schema, schema.properties, find)
        : fc.dictionary(fc.string(), fc.jsonValue());
    default:
      return strings(schema);
  }
}

/** Small amounts most of the time: they are what wallets can pay. */
function integers({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 5_000) });
  return fc.oneof({ weight: 5, arbitrary: small }, { weight: 1, arbitrary: fc.maxSafeNat() });
}

function strings({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

function objects(
  schema: Schema,
  properties: Record<string, Schema>,
  find: (reference: string) => Schema,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(
    ([name, inner]) => [name, valuesOf(inner, find, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
}
