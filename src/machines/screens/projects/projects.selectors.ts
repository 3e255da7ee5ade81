import type { ProjectsSnapshot } from './projects.machine.ts'

/** Whether projects may still turn up in a moment. */
export const areProjectsLoading = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('loading')
/** Whether descriptions may be fetched by now. */
export const areProjectsWanted = (snapshot: ProjectsSnapshot): boolean => snapshot.hasTag('wanted')
