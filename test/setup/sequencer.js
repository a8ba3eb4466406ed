/**
 * The files that share a platform come first, of each kind the slowest first: they wait for timers while others use
 * the processor, and the platform of the run ends with the last of them.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

const SHARING = ['e2e', 'specification'];
const shares = ({ context }) => SHARING.includes(context.config.displayName?.name);

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(shares), ...sorted.filter((test) => !shares(test))];
  }
};
