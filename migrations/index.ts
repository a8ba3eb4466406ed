/**
 * Every migration of the three areas, in the order in which they run. From the first release on a name never
 * changes.
 */
import { partners as cellPartners } from './cell/001_partners';
import { ledger } from './cell/002_ledger';
import { once } from './cell/003_once';
import { wallets } from './cell/004_wallets';
import { qrRequests } from './cell/005_qr_requests';
import { ussd } from './cell/006_ussd';
import { events } from './cell/007_events';
import { workflowIntentions } from './cell/008_workflow_intentions';
import { providerCallbacks } from './cell/009_provider_callbacks';
import { reconciliation } from './cell/010_reconciliation';
import { verifications } from './cell/011_verifications';
import { compliance } from './cell/012_compliance';
import { handOrders } from './cell/013_hand_orders';
import { transferAttempts } from './cell/014_transfer_attempts';
import { securityNotices } from './cell/015_security_notices';
import { legalHolds } from './cell/016_legal_holds';
import { bulkTransfers } from './cell/017_bulk_transfers';
import { holds } from './cell/018_holds';
import { scheduledTransfers } from './cell/019_scheduled_transfers';
import { limits } from './cell/020_limits';
import { inboundCredits } from './cell/021_inbound_credits';
import { requests } from './cell/022_requests';
import { providerCustomers } from './cell/023_provider_customers';
import { lookUps } from './directory/001_look_ups';
import { providerDays } from './directory/002_provider_days';
import { payoutRoutes } from './directory/003_payout_routes';
import { movements } from './directory/004_movements';
import { webhookHosts } from './directory/005_webhook_hosts';
import { listedBanks } from './directory/006_listed_banks';
import type { CellPlace, DirectoryPlace, Migration, PlatformPlace } from './place';
import { partners } from './platform/001_partners';
import { users } from './platform/002_users';
import { operators } from './platform/003_operators';
import { securityEvents } from './platform/004_security_events';
import { mailOutbox } from './platform/005_mail_outbox';
import { sessions } from './platform/006_sessions';
import { mailedTokens } from './platform/007_mailed_tokens';
import { oneTimeCodes } from './platform/008_one_time_codes';
import { people } from './platform/009_people';
import { keyEnds } from './platform/010_key_ends';
import { chores } from './platform/011_chores';
import { firstProofs } from './platform/012_first_proofs';

export const PLATFORM: Readonly<Record<string, Migration<PlatformPlace>>> = {
  '001_partners': partners,
  '002_users': users,
  '003_operators': operators,
  '004_security_events': securityEvents,
  '005_mail_outbox': mailOutbox,
  '006_sessions': sessions,
  '007_mailed_tokens': mailedTokens,
  '008_one_time_codes': oneTimeCodes,
  '009_people': people,
  '010_key_ends': keyEnds,
  '011_chores': chores,
  '012_first_proofs': firstProofs,
};

export const DIRECTORY: Readonly<Record<string, Migration<DirectoryPlace>>> = {
  '001_look_ups': lookUps,
  '002_provider_days': providerDays,
  '003_payout_routes': payoutRoutes,
  '004_movements': movements,
  '005_webhook_hosts': webhookHosts,
  '006_listed_banks': listedBanks,
};

export const CELL: Readonly<Record<string, Migration<CellPlace>>> = {
  '001_partners': cellPartners,
  '002_ledger': ledger,
  '003_once': once,
  '004_wallets': wallets,
  '005_qr_requests': qrRequests,
  '006_ussd': ussd,
  '007_events': events,
  '008_workflow_intentions': workflowIntentions,
  '009_provider_callbacks': providerCallbacks,
  '010_reconciliation': reconciliation,
  '011_verifications': verifications,
  '012_compliance': compliance,
  '013_hand_orders': handOrders,
  '014_transfer_attempts': transferAttempts,
  '015_security_notices': securityNotices,
  '016_legal_holds': legalHolds,
  '017_bulk_transfers': bulkTransfers,
  '018_holds': holds,
  '019_scheduled_transfers': scheduledTransfers,
  '020_limits': limits,
  '021_inbound_credits': inboundCredits,
  '022_requests': requests,
  '023_provider_customers': providerCustomers,
};
