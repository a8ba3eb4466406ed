/**
 * The OpenAPI 3.1 document, made from the route table, so a new route is in the document, too. `npm run openapi`
 * writes it to openapi.json; the API serves the same at /openapi.json.
 */
import { createDocument, type oas31, type ZodOpenApiOverride } from 'zod-openapi';
import { DIALECTS } from '../../wire/forms';
import { API_VERSION, SECTIONS } from '../route';
import { withExamples } from './examples';
import { HEADERS, PARAMETERS } from './headers';
import { documentedPaths } from './operations';
import { codeExamples, sharedResponses } from './responses';
import { documentedWebhooks } from './webhooks';

const DESCRIPTION = `Wallets with a Nigerian bank account number, money between them and out to any bank, and signed
events about all of it.

**Environments.** The credential decides: a sandbox credential acts on sandbox data, a live one on live data.

**Money** is an integer number of kobo (100 kobo = 1 naira), in NGN.

**Two forms.** Requests and answers exist in a reference form and in the guide's form; a request is answered in the
form of its keys, or of the header \`X-Response-Form\`. Two names of one field in one body must agree.

**Repeats.** A transfer is recognised by its \`reference\` for ever, and by its \`Idempotency-Key\` for 24 hours. A
repeat is answered with the original transfer and moves nothing.

**Bodies** are JSON in UTF-8, at most 262,144 bytes. Unknown fields are ignored; null for an optional field means that
it is absent. New fields may appear in answers.

**Every path** answers other methods with 405 \`METHOD_NOT_ALLOWED\`, and HEAD as GET.`;

/** The document as an object; the same on every call. */
export const buildDocument = (): oas31.OpenAPIObject =>
  withExamples(
    createDocument(
      {
        openapi: '3.1.0',
        info: { title: 'Partner wallets and payments', version: API_VERSION, description: DESCRIPTION },
        servers: [{ url: '/' }],
        tags: SECTIONS.map((name) => ({ name })),
        security: [{ apiKey: [] }, { accessToken: [] }],
        paths: documentedPaths(),
        webhooks: documentedWebhooks(),
        components: {
          schemas: { Error: DIALECTS.reference.error.schema, GuideError: DIALECTS.guide.error.schema },
          parameters: PARAMETERS,
          headers: HEADERS,
          responses: sharedResponses(),
          examples: codeExamples(),
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              description: 'A secret key: `sk_test_...` acts on the sandbox, `sk_live_...` on live data',
            },
            accessToken: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description: 'An access token, good for an hour',
            },
          },
        },
      },
      { override: keepOpen, allowEmptySchema: { custom: true } },
    ),
  );

let madeText: string | undefined;
/** The document as it is served and kept in the repository; it is made once. */
export const documentText = (): string => (madeText ??= `${JSON.stringify(buildDocument(), null, 1)}\n`);

/**
 * Answers may get more fields, so no schema is closed. The long patterns of zod are left out, because the formats
 * say the same.
 */
const keepOpen: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  delete jsonSchema.propertyNames;
};
