/* Models of AMD's GPUs by their PCI ids, written by scripts/gpu-names.mjs from pci.ids 2026.08.22. */
export const AMD_GPUS = `
1114 Radeon 840M / 860M Graphics; 150e Radeon 880M / 890M;
1586 Radeon Graphics / Radeon 8050S Graphics / Radeon 8060S Graphics; 1681 Radeon 680M;
66a0 Radeon Pro/Radeon Instinct; 66a1 Radeon Pro VII/Radeon Instinct MI50;
66a3 Radeon Pro Vega II/Radeon Pro Vega II Duo; 66a7 Radeon Pro Vega 20; 66af Radeon VII;
67df Radeon RX 470/480/570/570X/580/580X/590; 67ef Radeon RX 460/560D / Pro 450/455/460/555/555X/560/560X;
67ff Radeon RX 550 640SP / RX 560/560X; 6860 Instinct MI25/MI25x2/V340/V320; 6862 Radeon PRO SSG;
6863 Radeon Vega Frontier Edition; 6864 Radeon Pro V340/Instinct MI25x2; 6867 Radeon Pro Vega 56;
6869 Radeon Pro Vega 48; 686b Radeon Pro Vega 64X; 687f Radeon RX Vega 56/64; 694c Radeon RX Vega M GH;
694e Radeon RX Vega M GL; 6987 Radeon 540X/550X/630 / RX 640 / E9171 MCM;
699f Radeon 540/540X/550/550X / RX 540X/550/550X; 69af Radeon Pro Vega 20; 6fdf Radeon RX 580 2048SP;
7300 Radeon R9 FURY / NANO Series; 7310 Radeon Pro W5700X; 7312 Radeon Pro W5700;
731f Radeon RX 5600 OEM/5600 XT / 5700/5700 XT; 7340 Radeon RX 5500/5500M / Pro 5300/5300M/5500M;
7341 Radeon Pro W5500; 7347 Radeon Pro W5500M; 734f Radeon Pro W5300M; 7362 Radeon Pro V520/V540;
738c Instinct MI100; 738e Instinct MI100; 73a1 Radeon Pro V620; 73a2 Radeon Pro W6900X; 73a3 Radeon PRO W6800;
73a5 Radeon RX 6950 XT; 73ab Radeon Pro W6800X/Radeon Pro W6800X Duo; 73af Radeon RX 6900 XT;
73bf Radeon RX 6800/6800 XT / 6900 XT; 73df Radeon RX 6700/6700 XT/6750 XT / 6800M/6850M XT; 73e1 Radeon PRO W6600M;
73e3 Radeon PRO W6600; 73ef Radeon RX 6650 XT / 6700S / 6800S; 73f0 Radeon RX 7600M XT;
73ff Radeon RX 6600/6600 XT/6600M; 7408 Instinct MI250X; 740c Instinct MI250X/MI250; 740f Instinct MI210;
7421 Radeon PRO W6500M; 7422 Radeon PRO W6400; 7423 Radeon PRO W6300/W6300M; 7424 Radeon RX 6300;
743f Radeon RX 6400/6500 XT/6500M; 7448 Radeon Pro W7900; 7449 Radeon Pro W7800 48GB;
744a Radeon Pro W7900 Dual Slot; 744b Radeon Pro W7900D; 744c Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M;
745e Radeon Pro W7800; 7460 Radeon PRO V710; 7461 Radeon PRO V710; 7470 Radeon PRO W7700;
747e Radeon RX 7700 XT / 7800 XT; 7480 Radeon RX 7600/7600 XT/7600M XT/7600S/7700S / PRO W7600; 7481 Steam Machine;
7483 Radeon RX 7600M/7600M XT; 7489 Radeon Pro W7500; 7499 Radeon RX 7400/7300/Pro W7400; 749f Radeon RX 7500;
74a0 Instinct MI300A; 74a1 Instinct MI300X; 74a2 Instinct MI308X; 74a5 Instinct MI325X;
7550 Radeon RX 9070/9070 XT/9070 GRE; 7551 Radeon AI PRO R9700; 7590 Radeon RX 9050 / 9060 XT; 75a0 Instinct MI350X;
75a3 Instinct MI355X; 75a8 Instinct MI350P;
`
