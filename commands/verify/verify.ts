import { alarmChecks } from './alarm-checks.ts';
import { browserChecks } from './browser-checks.ts';
import { type Begun, type Check, type Finding, lookAt } from './check.ts';
import { cleanUp } from './clean-up.ts';
import { domainChecks } from './domain-checks.ts';
import { gatewayChecks } from './gateway-checks.ts';
import { indexChecks } from './index-checks.ts';
import { logChecks } from './log-checks.ts';
import { purgeCheck } from './purge-check.ts';
import { referenceChecks } from './reference-checks.ts';
import { runScenarios } from './stories.ts';
import type { Subject } from './subject.ts';
import { tableChecks } from './table-checks.ts';
import { tlsChecks } from './tls-checks.ts';
import { versionChecks } from './version-checks.ts';

/**
 * Runs all checks of a stage and reports each finding as it arrives. The leading keys follow right
 * after the version, because little else works without them. Deletes the data of its users at the
 * end, also after `interrupted`.
 */
export async function verify(
  subject: Subject,
  tell: (finding: Finding) => void,
  interrupted: () => boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const told = (finding: Finding) => {
    findings.push(finding);
    tell(finding);
  };
  const all = async (checks: readonly Check[]) => {
    for (const check of checks) {
      if (interrupted()) return;
      told(await lookAt(check));
    }
  };
  const begun: Begun[] = [];
  const begin = (some: Begun) => {
    begun.push(some);
    return some.checks;
  };
  try {
    await all(versionChecks(subject));
    await all(indexChecks(subject));
    const purge = begin(purgeCheck(subject));
    const logs = begin(logChecks(subject));
    await all(gatewayChecks(subject));
    await all(browserChecks(subject));
    await all(referenceChecks(subject));
    await all(tlsChecks(subject));
    await all(domainChecks(subject));
    await all(tableChecks(subject));
    await all(alarmChecks(subject));
    if (!interrupted()) (await runScenarios(subject)).forEach(told);
    await all(logs);
    await all(purge);
  } finally {
    await Promise.all(begun.map(({ done }) => done));
    told(await lookAt(cleanUp(subject)));
  }
  return findings;
}
