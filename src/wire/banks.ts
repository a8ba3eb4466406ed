/** Banks and resolved accounts as the interface shows them (D61, D62). */
import { z } from 'zod';
import type { Bank } from '../domain/banks';
import { meta } from './answers';
import { PERSONAL } from './fields';

export const bankSchema = z
  .object({
    code: z.string().meta({ description: 'What a transfer names as bank_code', examples: ['058'] }),
    name: z.string(),
    slug: z.string(),
    nip_code: z
      .string()
      .nullable()
      .meta({ description: 'null when unknown', examples: ['000013'] }),
  })
  .meta({ id: 'Bank' });

export const writeBank = ({ code, name, slug, nipCode }: Bank): z.infer<typeof bankSchema> => ({
  code,
  name,
  slug,
  nip_code: nipCode,
});

const resolvedAccount = z
  .object({
    account_number: z.string().meta({ ...PERSONAL, examples: ['0123456789'] }),
    account_name: z.string().meta({ ...PERSONAL, examples: ['ADA OBI'] }),
    bank_code: z.string().meta({ examples: ['058'] }),
    bank_name: z.string(),
  })
  .meta({ id: 'ResolvedAccount' });
/** Both published wrappers at once (D61). */
export const resolvedAccountAnswer = z.object({ data: resolvedAccount, ...resolvedAccount.shape, meta });

export const writeResolvedAccount = (account: {
  accountNumber: string;
  accountName: string;
  bankCode: string;
  bankName: string;
}): z.infer<typeof resolvedAccount> => ({
  account_number: account.accountNumber,
  account_name: account.accountName,
  bank_code: account.bankCode,
  bank_name: account.bankName,
});
