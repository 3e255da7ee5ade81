import type { ProjectsSnapshot } from './projects.machine.ts'

/** Whether more projects may appear shortly. */
export const areProjectsLoading = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('loading')
/** Whether descriptions of active projects may be fetched now. */
export const areProjectsWanted = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('wanted')
/** How many earlier projects of the list are described, or their descriptions are being fetched. */
export const selectDescribed = ({ context }: ProjectsSnapshot): number => context.described
/** Whether more descriptions of earlier projects will be fetched. */
export const isDescribing = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('describing')
