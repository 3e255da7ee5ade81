import { defaultProjects } from './clients/index.ts'
import type { ProjectSpec } from './clients/index.ts'
import type { Project } from './store/catalog.ts'

/** The first entry means 'no preference' and is not offered in forms (docs/protocol.md §16). */
const CAUSES = [
  'unspecified',
  'alzheimers',
  'cancer',
  'covid-19',
  'diabetes',
  'high-priority',
  'huntingtons',
  'influenza',
  'parkinsons',
]

type ProjectDetails = { cause: string; manager: string; institution: string; about: string }

const PROJECT_DETAILS: Readonly<Record<string, ProjectDetails>> = {
  villin: {
    cause: 'alzheimers',
    manager: 'mlindqvist',
    institution: 'Institute of Simulated Biophysics',
    about:
      'The headpiece of villin is one of the smallest proteins that fold by themselves. How its three helices find each other tells which contacts come first, and what goes wrong when proteins clump together.',
  },
  'trp-cage': {
    cause: 'diabetes',
    manager: 'aoyelaran',
    institution: 'Foldwater University',
    about:
      'Trp-cage wraps twenty residues around a single tryptophan. Its relative in lizard venom lowers blood sugar; this project watches how the cage opens and closes.',
  },
  'ww-domain': {
    cause: 'cancer',
    manager: 'tferreira',
    institution: 'Foldwater University',
    about:
      'WW domains bind proline-rich tails and pass signals on that tell cells to grow. The project samples how three strands twist into a sheet.',
  },
  bba5: {
    cause: 'parkinsons',
    manager: 'mlindqvist',
    institution: 'Institute of Simulated Biophysics',
    about:
      'A designed miniature of a zinc finger that folds without zinc: a hairpin and a helix that meet. It is a baseline for the force fields of larger projects.',
  },
  chignolin: {
    cause: 'influenza',
    manager: 'aoyelaran',
    institution: 'Foldwater University',
    about:
      'Ten residues that form a hairpin: the shortest protein of all. Thousands of folding events give statistics that larger proteins cannot.',
  },
}

function projectOf({ project, molecule, gpu, atoms }: ProjectSpec): Project {
  const story = PROJECT_DETAILS[molecule] ?? {
    cause: 'unspecified',
    manager: 'foldboard',
    institution: 'Foldboard',
    about: `Simulations of ${molecule}.`,
  }
  const size = `About ${atoms.toLocaleString('en')} atoms, ${gpu ? 'on graphics cards' : 'on processors'}.`
  return {
    id: project,
    manager: story.manager,
    institution: story.institution,
    cause: story.cause,
    thumb: '',
    description: `${story.about} ${size}`,
    mthumb: '',
    mdescription: `${story.institution} exists only inside Foldboard’s embedded network.`,
  }
}

export const catalog: { causes: readonly string[]; projects: readonly Project[] } = {
  causes: CAUSES,
  projects: defaultProjects.map(projectOf),
}
