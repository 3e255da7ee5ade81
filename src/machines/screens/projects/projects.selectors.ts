import type { ProjectsSnapshot } from './projects.machine.ts'
/** How many earlier projects of the list are described, or their descriptions are being fetched. */
export function selectDescribed({ context }: ProjectsSnapshot): number {
  return context.described
}
