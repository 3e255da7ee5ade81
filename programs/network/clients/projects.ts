import type { ProjectSpec } from './types.ts'

const DAY = 86_400

function cpuProject(project: number, molecule: string, atoms: number, hours: number, credit: number): ProjectSpec {
  return { project, core: '0xa9', gpu: false, credit, timeout: 1.5 * DAY, deadline: 3 * DAY, hours, molecule, atoms }
}

function gpuProject(project: number, molecule: string, atoms: number, hours: number, credit: number): ProjectSpec {
  return { project, core: '0x26', gpu: true, credit, timeout: 1 * DAY, deadline: 2 * DAY, hours, molecule, atoms }
}

/** Default projects, from a small protein to one in a hundred thousand atoms of water. */
export const defaultProjects: readonly ProjectSpec[] = [
  cpuProject(18_420, 'crambin', 640, 4, 14_500),
  cpuProject(18_421, 'sh3', 1000, 3, 9_800),
  cpuProject(18_455, 'gal4', 3_000, 5.5, 21_000),
  cpuProject(18_480, 'gfp', 3_500, 2.5, 8_200),
  cpuProject(18_495, 'sh3', 1000, 2, 6_400),
  gpuProject(18_601, 'src', 7_200, 3.5, 185_000),
  gpuProject(18_602, 'gfp', 30_000, 4.5, 264_000),
  gpuProject(18_615, 'rhodopsin', 5_700, 2, 98_000),
  gpuProject(18_630, 'src', 100_000, 6, 410_000),
]
