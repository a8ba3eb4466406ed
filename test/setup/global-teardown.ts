/** After the last test of a run. */
import { closeRun } from './run';

export default closeRun;
