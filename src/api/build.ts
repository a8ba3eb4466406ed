/** A part of `npm run build`, after the compiler: writes down the documents that the API serves. */
import { writeDocuments } from './openapi/served';

writeDocuments();
