/** Test files that fail on purpose; `test/cli/seeded-faults.test.ts` runs them and reads what they print. */
const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...endToEnd,
  displayName: 'seeded-faults',
  testMatch: [`${__dirname}/*.fault.ts`],
  testTimeout: 60_000,
};
