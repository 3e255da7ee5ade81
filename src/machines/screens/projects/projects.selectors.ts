import type { ProjectsSnapshot } from './projects.machine.ts'

/** Whether more projects may appear shortly. */
export function areProjectsLoading(snapshot: ProjectsSnapshot): boolean {
  return snapshot.hasTag('loading')
}
/** Whether descriptions of active projects may be fetched now. */
export function areProjectsWanted(snapshot: ProjectsSnapshot): boolean {
  return snapshot.hasTag('wanted')
}
/** How many earlier projects of the list are described, or their descriptions are being fetched. */
export function selectDescribed({ context }: ProjectsSnapshot): number {
  return context.described
}
/** Whether more descriptions of earlier projects will be fetched. */
export function isDescribing(snapshot: ProjectsSnapshot): boolean {
  return snapshot.hasTag('describing')
}
