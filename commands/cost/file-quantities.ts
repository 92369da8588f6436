import { functionLimits } from '../../shared/function-limits.ts';
import { assumptions } from './assumptions.ts';
import { type OperationId, scanBudget } from './budgets.ts';
import { addQuantities, type Quantities } from './prices.ts';

const scanGigabytes = functionLimits.scan.memoryMegabytes / 1024;

/** Returns the average usage of S3, the thumbnail worker and malware scans per request. */
export function getFileQuantities(id: OperationId, hasScans: boolean): Quantities {
  const gigabytes = assumptions.fileMegabytes / 1024;
  switch (id) {
    case 'attachments/create':
      return addQuantities(
        [{ filePuts: 1, fileGb: gigabytes, busEvents: eventsPerFile }],
        [thumbnailQuantities],
        [hasScans ? getScanQuantities(gigabytes) : {}],
      );
    case 'attachments/retrieve':
      // The function checks for the thumbnail, and the client downloads a file.
      return { fileGets: 2, dataOutGb: gigabytes };
    default:
      return {};
  }
}

/** Number of S3 events per object: for its creation, untagging and deletion. */
const eventsPerFile = 3;

/**
 * Counts every upload as an image. The worker checks and reads the file, stores the thumbnail,
 * reads the file's tags and untags the thumbnail. The send also untags the thumbnail.
 */
const thumbnailQuantities: Quantities = {
  filePuts: 1,
  fileGets: 5,
  fileGb: assumptions.thumbnailKilobytes / 1024 ** 2,
  busEvents: eventsPerFile,
  lambdaRequests: 1,
  lambdaGbSeconds:
    (functionLimits.thumbnails.memoryMegabytes / 1024) * (assumptions.thumbnailMilliseconds / 1000),
};

/** Assumes that the scan worker records the result before the file is sent. */
const getScanQuantities = (gigabytes: number): Quantities => ({
  scannedFiles: 1,
  scannedGb: gigabytes,
  fileGets: 1,
  writeUnits: scanBudget.beforeSend.writes,
  lambdaRequests: 1,
  lambdaGbSeconds:
    scanGigabytes * ((assumptions.millisecondsPerCall * (scanBudget.beforeSend.calls + 1)) / 1000),
});
