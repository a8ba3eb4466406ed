/** Before the first database test of a run. */
import { preparePostgres } from './run';

export default preparePostgres;
