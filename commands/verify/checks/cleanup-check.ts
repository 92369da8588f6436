import { Problem, toErrorMessage } from '../../../lib/problem.ts';
import { deleteContact, deleteConversations } from '../../api/delete-user-data.ts';
import { type Check, isDenied, NotCheckable, requireValue } from '../target/check.ts';
import { getNoUsersReason, noServicesReason, type VerifyTarget } from '../target/target.ts';

export const cleanupCheck = (target: VerifyTarget): Check => ({
  name: 'Cleanup: no data of the test users remains',
  expected: 'no conversation, no contact, no user',
  cure: 'delete the remaining data manually: users and groups with the prefix verify-',
  run: async () => {
    const { all, deleteUsers: deletion } = requireValue(target.users, getNoUsersReason(target));
    const deleteUsers = requireValue(
      deletion,
      'ANN, BOB and CAROL are real accounts: their data remains',
    );
    const faults: string[] = [];
    const denials: string[] = [];
    // Collects failures instead of throwing, so that later steps run.
    const collectFaults = async (step: () => Promise<number>) => {
      try {
        return await step();
      } catch (error) {
        (isDenied(error) ? denials : faults).push(toErrorMessage(error));
        return 0;
      }
    };
    const users = Object.values(all);
    const deleted = await collectFaults(() => deleteConversations(target.url, users));
    let items = 0;
    const { running } = target;
    for (const { id } of running ? users : []) {
      items += await collectFaults(() =>
        deleteContact(requireValue(running, noServicesReason), id),
      );
    }
    await collectFaults(async () => {
      await deleteUsers();
      return users.length;
    });
    if (faults.length > 0) throw new Problem(faults.join('; '));
    if (denials.length > 0) throw new NotCheckable(`some data remains: ${denials.join('; ')}`);
    return `deleted ${deleted} conversations and ${items} items`;
  },
});
