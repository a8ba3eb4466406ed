/** Before the first test of the programs: several of them start at once, and must not build at once. */
import { prepareBuild } from './run';

export default prepareBuild;
