import { defaultProjects, type ProjectSpec } from './clients/index.ts'
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
  crambin: {
    cause: 'alzheimers',
    manager: 'mlindqvist',
    institution: 'Institute of Simulated Biophysics',
    about:
      'Crambin, from the seeds of a cabbage, was among the first proteins whose every atom was seen. Its helices and its sheet test how well a simulation keeps a fold.',
  },
  sh3: {
    cause: 'diabetes',
    manager: 'aoyelaran',
    institution: 'Foldwater University',
    about:
      'SH3 domains hold tails that are rich in proline, and so pass signals on. This project watches how one of them grips its peptide and lets it go.',
  },
  gal4: {
    cause: 'cancer',
    manager: 'tferreira',
    institution: 'Foldwater University',
    about:
      'GAL4 switches genes of yeast on. Two of it, each with two atoms of metal, hold on to a turn of DNA; the project samples how they bend it.',
  },
  gfp: {
    cause: 'parkinsons',
    manager: 'mlindqvist',
    institution: 'Institute of Simulated Biophysics',
    about:
      'The protein that makes a jellyfish glow green: eleven strands around the part that glows. It marks other proteins in living cells, and is a baseline for the force fields of larger projects.',
  },
  src: {
    cause: 'cancer',
    manager: 'tferreira',
    institution: 'Foldwater University',
    about:
      'The kinase c-Src tells cells to grow, and is held shut by its own tail. How it opens tells where a drug could keep it closed.',
  },
  rhodopsin: {
    cause: 'high-priority',
    manager: 'aoyelaran',
    institution: 'Foldwater University',
    about:
      'Rhodopsin catches light in the eye with a retinal between its seven helices. A third of all drugs act on its relatives.',
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

export function catalog(): { causes: readonly string[]; projects: readonly Project[] } {
  return { causes: CAUSES, projects: defaultProjects.map(projectOf) }
}
