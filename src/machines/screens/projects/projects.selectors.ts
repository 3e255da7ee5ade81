import type { ProjectsSnapshot } from './projects.machine.ts'

/** Whether more projects may appear shortly. */
export const areProjectsLoading = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('loading')
/** Whether descriptions may be fetched now. */
export const areProjectsWanted = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('wanted')
