import { functionLimits } from '../../shared/function-limits.ts';
import { assumptions } from './assumptions.ts';
import { type OperationId, scanBudget } from './budgets.ts';
import type { Quantities } from './prices.ts';

/** Memory of the scan worker, in gigabytes. */
const scanGigabytes = functionLimits.scan.memoryMegabytes / 1024;

/** Returns the usage of S3 and of the scan that one request about an attachment causes. */
export function getFileQuantities(id: OperationId, hasScans: boolean): Quantities {
  const gigabytes = assumptions.fileMegabytes / 1024;
  switch (id) {
    case 'attachments/create':
      return { filePuts: 1, fileGb: gigabytes, ...(hasScans && getScanQuantities(gigabytes)) };
    case 'attachments/retrieve':
      return { fileGets: 1, dataOutGb: gigabytes };
    default:
      return {};
  }
}

/** The scan worker records the result before the file is sent. */
const getScanQuantities = (gigabytes: number): Quantities => ({
  scannedFiles: 1,
  scannedGb: gigabytes,
  fileGets: 1,
  writeUnits: scanBudget.beforeSend.writes,
  lambdaRequests: 1,
  lambdaGbSeconds:
    scanGigabytes * ((assumptions.millisecondsPerCall * (scanBudget.beforeSend.calls + 1)) / 1000),
});
