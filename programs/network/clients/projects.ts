import type { ProjectSpec } from './types.ts'

const DAY = 86_400

function cpuProject(project: number, molecule: string, atoms: number, hours: number, credit: number): ProjectSpec {
  return {
    project,
    core: '0xa9',
    gpu: false,
    credit,
    timeout: 1.5 * DAY,
    deadline: 3 * DAY,
    hours,
    molecule,
    atoms,
  }
}

function gpuProject(project: number, molecule: string, atoms: number, hours: number, credit: number): ProjectSpec {
  return {
    project,
    core: '0x26',
    gpu: true,
    credit,
    timeout: 1 * DAY,
    deadline: 2 * DAY,
    hours,
    molecule,
    atoms,
  }
}

/** Default projects, from a small peptide to a protein in water. */
export const defaultProjects: readonly ProjectSpec[] = [
  cpuProject(18_420, 'villin', 600, 4, 14_500),
  cpuProject(18_421, 'trp-cage', 500, 3, 9_800),
  cpuProject(18_455, 'ww-domain', 1_200, 5.5, 21_000),
  cpuProject(18_480, 'bba5', 700, 2.5, 8_200),
  cpuProject(18_495, 'chignolin', 500, 2, 6_400),
  gpuProject(18_601, 'villin', 10_000, 3.5, 185_000),
  gpuProject(18_602, 'ww-domain', 30_000, 4.5, 264_000),
  gpuProject(18_615, 'trp-cage', 5_000, 2, 98_000),
  gpuProject(18_630, 'villin', 100_000, 6, 410_000),
]
