import { alarmChecks } from './checks/alarm-checks.ts';
import { browserChecks } from './checks/browser-checks.ts';
import { cleanupCheck } from './checks/cleanup-check.ts';
import { domainChecks } from './checks/domain-checks.ts';
import { gatewayChecks } from './checks/gateway-checks.ts';
import { indexChecks } from './checks/index-checks.ts';
import { logChecks } from './checks/log-checks.ts';
import { purgeCheck } from './checks/purge-check.ts';
import { pushChecks } from './checks/push-checks.ts';
import { referenceChecks } from './checks/reference-checks.ts';
import { runScenarios } from './checks/scenario-checks.ts';
import { tableChecks } from './checks/table-checks.ts';
import { tlsChecks } from './checks/tls-checks.ts';
import { versionChecks } from './checks/version-checks.ts';
import { type BackgroundChecks, type Check, type Finding, runCheck } from './target/check.ts';
import type { VerifyTarget } from './target/target.ts';

/**
 * Runs all checks of a target. Before most other checks, verifies that AWS provides
 * `dynamodb:LeadingKeys`, because most operations depend on it. Finally, deletes the users that the
 * run created and their data, even after an interruption.
 */
export async function verify(
  target: VerifyTarget,
  onFinding: (finding: Finding) => void,
  isInterrupted: () => boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const record = (finding: Finding) => {
    findings.push(finding);
    onFinding(finding);
  };
  const runChecks = async (checks: readonly Check[]) => {
    for (const check of checks) {
      if (isInterrupted()) return;
      record(await runCheck(check));
    }
  };
  const background: BackgroundChecks[] = [];
  const startChecks = (started: BackgroundChecks) => {
    background.push(started);
    return started.checks;
  };
  try {
    await runChecks(versionChecks(target));
    await runChecks(indexChecks(target));
    const purge = startChecks(purgeCheck(target));
    const logs = startChecks(logChecks(target));
    await runChecks(gatewayChecks(target));
    await runChecks(browserChecks(target));
    await runChecks(referenceChecks(target));
    await runChecks(pushChecks(target));
    await runChecks(tlsChecks(target));
    await runChecks(domainChecks(target));
    await runChecks(tableChecks(target));
    await runChecks(alarmChecks(target));
    if (!isInterrupted()) (await runScenarios(target)).forEach(record);
    await runChecks(logs);
    await runChecks(purge);
  } finally {
    await Promise.all(background.map(({ finished }) => finished));
    record(await runCheck(cleanupCheck(target)));
  }
  return findings;
}
