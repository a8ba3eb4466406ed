/** How much was paid in each hour or day (D200). */
import { findVolumes } from '../../db/ledger/volumes';
import { done } from '../../domain/outcome';
import { VOLUME_TRANSACTIONS_MAX } from '../../domain/volumes';
import { listOf } from '../../wire/answers';
import { readVolumesQuery, TOO_MANY, volumeSchema, volumesQuery, writeVolume } from '../../wire/volumes';
import { dataAnswer, reading, type Route } from '../route';

const list = reading({
  method: 'GET',
  path: '/v1/volumes',
  operation: 'listVolumes',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'volumes.list',
    summary: 'See volumes by hour or day',
    description:
      'Oldest first, by type of transaction; an hour or day without any is left out. Without `to` the period ends now, ' +
      'without `from` it is a day. At most 8 days by the hour and 93 by the day, and ' +
      `${VOLUME_TRANSACTIONS_MAX.toLocaleString('en')} transactions.`,
    query: volumesQuery,
    answer: { status: 200, description: 'The volumes', body: listOf(volumeSchema) },
    refusals: [],
  },
  async handle(call) {
    const asked = readVolumesQuery(call.query, new Date());
    if (!asked.ok) return asked;
    const volumes = await findVolumes(call.cell, call.partner.id, asked.value);
    return volumes ? done(dataAnswer(call, 200, volumes.map(writeVolume))) : TOO_MANY;
  },
});

export const volumeRoutes: readonly Route[] = [list];
