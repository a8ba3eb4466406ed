/** Identity verification of end users: submit a BVN or NIN, read how it went (interface: KYC; D81-D84, D136). */
import { done, map, refuse } from '../../domain/outcome';
import { verifyIdentity } from '../../operations/identity/verify';
import type { VerificationType } from '../../domain/verifications';
import { listVerifications } from '../../db/partners/verifications';
import { dataOf } from '../../wire/answers';
import {
  kycStatusSchema,
  readSubmission,
  readUserRef,
  submissionBodies,
  submittedSchema,
  writeVerification,
} from '../../wire/kyc';
import { dataAnswer, type Route } from '../route';

const SANDBOX: Record<VerificationType, string> = {
  bvn:
    'In sandbox every BVN is verified, but `00000000000` and `00000000001` are not found, `00000000002` has ' +
    'another name, and `00000000003` is pending for 30 seconds and fails with `PROVIDER_UNAVAILABLE`.',
  nin: 'In sandbox every NIN is verified.',
};

/**
 * The operation seals the number in its first step. While it is pending, the same number of the same
 * user is the same verification (D82).
 */
const submit = (type: VerificationType): Route => ({
  method: 'POST',
  path: `/v1/kyc/${type}`,
  operation: type === 'bvn' ? 'verifyBvn' : 'verifyNin',
  needs: 'run',
  needsActivePartner: true,
  harmlessTwice: true,
  doc: {
    section: 'KYC',
    sdk: `kyc.${type}`,
    summary: `Verify the ${type.toUpperCase()} of an end user`,
    description:
      'The result arrives as `kyc.verified` or `kyc.failed`. The user needs no wallet; where a wallet of this ' +
      '`user_ref` has `first_name` and `last_name` in its metadata, the record must have that name. Where every company ' +
      'compares names, that wallet must be there. While the ' +
      `same number of the same user is pending, submitting it again answers with the same verification. ${SANDBOX[type]}`,
    body: submissionBodies[type],
    answer: { status: 202, description: 'The verification has begun', body: dataOf(submittedSchema) },
    refusals: [],
  },
  async handle(call) {
    const read = readSubmission(type, call.body);
    if (!read.ok) return read;
    // Whoever may ask without end finds out which numbers belong to a name, at the bureau's price.
    const { strangers } = call.services;
    const wait = await strangers.ofVerification(`${call.environment.name}/${call.partner.id}`);
    if (wait) {
      return refuse('RATE_LIMIT_EXCEEDED', { ...wait, message: 'Too many BVNs and NINs in this minute' });
    }
    const begun = await verifyIdentity(call.services, call, { type, ...read.value });
    return map(begun, ({ verificationId }) =>
      dataAnswer(call, 202, { verification_id: verificationId, status: 'pending' }),
    );
  },
});

const status: Route = {
  method: 'GET',
  path: '/v1/kyc/:userRef/status',
  operation: 'getKycStatus',
  needs: 'look',
  doc: {
    section: 'KYC',
    sdk: 'kyc.status',
    summary: 'List the verifications of an end user, newest first',
    description: 'Neither a BVN nor a NIN is ever shown, not even in part.',
    answer: { status: 200, description: 'The verifications', body: dataOf(kycStatusSchema) },
    refusals: [],
  },
  async handle(call) {
    const userRef = readUserRef(call.params.userRef ?? '');
    const verifications = userRef && (await listVerifications(call.cell, call.partner.id, userRef));
    if (!verifications) return refuse('NOT_FOUND');
    const shown = { user_ref: userRef, verifications: verifications.map(writeVerification) };
    return done(dataAnswer(call, 200, shown));
  },
};

export const kycRoutes: readonly Route[] = [submit('bvn'), submit('nin'), status];
