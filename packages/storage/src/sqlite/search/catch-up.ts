import type { Lease } from '../lease.ts'

/** Brings the index of search up to what is committed now, in short transactions between which others have their turn. */
export async function catchUp(lease: Lease): Promise<void> {
  const target = await lease.read(({ searchIndex }) => searchIndex.behind())
  if (target === undefined) return
  while (!(await lease.write(({ searchIndex }) => searchIndex.step(target))));
}

/** Removes the words of what was removed, in such transactions too. */
export async function removeLeftovers(lease: Lease): Promise<void> {
  if (!(await lease.read(({ searchIndex }) => searchIndex.leftovers.exist()))) return
  while (
    await lease.write(
      ({ searchIndex }) =>
        () =>
          searchIndex.leftovers.removeSome(),
    )
  );
}
