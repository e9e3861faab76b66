// SPDX-License-Identifier: Apache-2.0
// Charts of what is unfolded, drawn by Chart.js; again when the filter, the colours of the screen or the paper change.
const Marks = [['circle', 0], ['rect', 0], ['triangle', 0], ['rectRot', 0], ['triangle', 180], ['star', 0], ['crossRot', 0],
               ['cross', 0], ['triangle', 90], ['triangle', 270]];  // and by how many degrees it is turned
const Dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 2], [1, 2], [10, 2, 2, 2, 2, 2], [3, 5], [6, 6]];
const FewBars = 4;  // mechanisms whose bars one can tell apart in one histogram, and whose names are one line

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const grouped = (number) => number.toLocaleString('en');
const ofMechanism = (index) => ({
  label: page.mechanisms[index], borderColor: color(`m${index % 10}`), backgroundColor: color(`m${index % 10}`),
  pointStyle: Marks[index % 10][0], pointRotation: Marks[index % 10][1],
});

function axis(words, more = {}) {
  return {title: {display: true, text: words, color: color('quiet')}, ticks: {color: color('quiet')},
          grid: {color: color('line'), drawBorder: false}, ...more};
}

function options(x, y, more = {}) {
  return {animation: false, maintainAspectRatio: false, scales: {x, y}, interaction: {mode: 'index', intersect: false},
          plugins: {legend: {position: 'bottom', labels: {color: color('text'), boxWidth: 14, boxHeight: 8}}}, ...more};
}

/// The runs of a kernel that the filter leaves: [place among its runs, mechanism].
function runsOf(kernel) {
  return [...kernel.mechanisms.entries()].filter(([, mechanism]) => shown.mechanism(mechanism));
}

function stalls(kernel, plot) {
  const runs = runsOf(kernel);
  plot.style.height = `${runs.length * 30 + 150}px`;
  const all = runs.map(([run]) => kernel.stalls[run].reduce((sum, cycles) => sum + cycles, 0));
  const datasets = page.reasons.map((reason, r) => ({
    label: reason, data: runs.map(([run]) => kernel.stalls[run][r]), backgroundColor: color(`s${r}`),
    borderColor: color('ground'), borderWidth: {right: 1}, borderSkipped: false, maxBarThickness: 26,
  })).filter(({data}) => data.some((cycles) => cycles > 0));
  const config = options(axis('cycles', {stacked: true}), axis('', {stacked: true, title: {display: false}}));
  config.indexAxis = 'y';
  config.scales.y.ticks = {color: color('text')};
  config.interaction = {mode: 'nearest', intersect: true};
  config.plugins.tooltip = {callbacks: {
    label: ({dataset, raw, dataIndex}) => `${dataset.label}: ${grouped(raw)} cycles, ${(100 * raw / all[dataIndex]).toFixed(1)}%`,
  }};
  return {type: 'bar', data: {labels: runs.map(([, mechanism]) => page.mechanisms[mechanism]), datasets}, options: config};
}

/// Shares of the issues by a number: \param first  the first bin's
function histogram(kernel, of, words, first) {
  const runs = runsOf(kernel).filter(([run]) => of[run].length > 0);
  const bins = Math.max(0, ...runs.map(([run]) => of[run].length));
  const skipped = runs.every(([run]) => of[run][0] === 0) ? 1 : 0;
  const lines = runs.length > FewBars;
  const datasets = runs.map(([run, mechanism]) => ({
    ...ofMechanism(mechanism), data: of[run].slice(skipped),
    ...(lines ? {borderWidth: 1.5, borderDash: Dashes[mechanism % 10], pointRadius: 3} : {}),
  }));
  const config = options(axis(words, {grid: {display: false}}), axis('% of the issues', {beginAtZero: true}));
  if (lines) config.plugins.legend.labels.usePointStyle = true;
  return {type: lines ? 'line' : 'bar', data: {labels: Array.from({length: bins - skipped}, (_, i) => i + skipped + first), datasets},
          options: config};
}

/// A legend of lines, as they are drawn.
const ofLines = {
  usePointStyle: true,
  pointStyleWidth: 34,
  generateLabels: (chart) => Chart.defaults.plugins.legend.labels.generateLabels(chart).map((item) => ({
    ...item, pointStyle: 'line', rotation: 0, lineDash: chart.data.datasets[item.datasetIndex].borderDash, lineWidth: 2,
  })),
};

function overTime(kernel, key, words) {
  const runs = runsOf(kernel).filter(([run]) => kernel.time[run]);
  const line = (run, mechanism, values, more) => ({
    ...ofMechanism(mechanism), data: kernel.time[run].cycle.map((x, i) => ({x, y: values[i]})),
    borderWidth: 1.8, borderDash: runs.length > FewBars ? Dashes[mechanism % 10] : [], pointRadius: 0, spanGaps: true, ...more,
  });
  const datasets = runs.map(([run, mechanism]) => line(run, mechanism, kernel.time[run][key], {}));
  if (key === 'warps' && runs.length <= FewBars)
    for (const [run, mechanism] of runs)
      if (kernel.time[run].at_barrier.some((warps) => warps > 0))
        datasets.push(line(run, mechanism, kernel.time[run].at_barrier,
                           {label: `${page.mechanisms[mechanism]}, at a barrier`, borderDash: [2, 3], borderWidth: 1}));
  const config = options(axis('cycle', {type: 'linear', min: 0}), axis(words, {beginAtZero: true}));
  config.interaction = {mode: 'nearest', axis: 'x', intersect: false};
  config.plugins.legend.labels = {...config.plugins.legend.labels, ...ofLines};
  config.plugins.tooltip = {callbacks: {title: (items) => items.length ? `until cycle ${grouped(items[0].parsed.x)}` : ''}};
  return {type: 'line', data: {datasets}, options: config};
}

/// Names beside points, where they do not lie on each other.
const names = {
  id: 'names',
  afterDatasetsDraw(chart) {
    const {ctx, chartArea, data} = chart;
    ctx.save();
    ctx.font = '12px system-ui, "DejaVu Sans", sans-serif';
    ctx.fillStyle = color('text');
    ctx.textBaseline = 'middle';
    const points = data.datasets.map((_, i) => chart.getDatasetMeta(i).data[0]);
    const taken = points.map(({x, y}) => ({left: x - 7, right: x + 7, top: y - 7, bottom: y + 7}));
    data.datasets.forEach(({label}, i) => {
      const {x, y} = points[i], width = ctx.measureText(label).width;
      const places = [[10, 0], [-10 - width, 0], [-width / 2, -15], [-width / 2, 15], [10, 14], [10, -14], [-10 - width, 14],
                      [-10 - width, -14], [10, 28], [10, -28], [-10 - width, 28], [-10 - width, -28]]
        .map(([dx, dy]) => ({left: x + dx, right: x + dx + width, top: y + dy - 7, bottom: y + dy + 7}));
      const free = places.find((box) => box.left >= chartArea.left && box.right <= chartArea.right &&
        box.top >= chartArea.top && box.bottom <= chartArea.bottom &&
        !taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom));
      const box = free || places[0];
      taken.push(box);
      ctx.fillText(label, box.left, (box.top + box.bottom) / 2);
    });
    ctx.restore();
  },
};

function cost(key, words) {
  const rows = page.cost.filter((row) => row[key] !== null && shown.mechanism(row.mechanism));
  const datasets = rows.map((row) => ({
    ...ofMechanism(row.mechanism), data: [{x: key === 'bits' ? row.bits / 1024 : row.mm2, y: row.gain}], pointRadius: 6,
    pointBorderWidth: 2,
  }));
  const config = options(axis(words, {grace: '12%'}), axis(`gain over ${page.reference}`, {grace: '12%'}));
  config.scales.y.ticks.callback = (gain) => `${gain.toFixed(2)}x`;
  config.plugins.legend.display = false;
  config.interaction = {mode: 'nearest', intersect: true};
  config.plugins.tooltip = {callbacks: {
    label: ({dataset, raw}) => `${dataset.label}: ${raw.y.toFixed(3)}x, ${raw.x.toFixed(key === 'bits' ? 1 : 3)}`,
  }};
  return {type: 'scatter', data: {datasets}, options: config, plugins: [names]};
}

const makers = {
  stalls,
  lanes: (kernel) => histogram(kernel, kernel.lanes, 'active lanes', 1),
  depth: (kernel) => histogram(kernel, kernel.depth, 'stack depth', 0),
  time_warps: (kernel) => overTime(kernel, 'warps', 'resident warps'),
  time_ipc: (kernel) => overTime(kernel, 'ipc', 'IPC'),
  time_paths: (kernel) => overTime(kernel, 'paths', 'AvgPath'),
  time_lanes: (kernel) => overTime(kernel, 'lanes', 'lanes an issue'),
  cost_bits: () => cost('bits', 'Kibit added to an SM'),
  cost_mm2: () => cost('mm2', 'mm2 added to an SM, at 90 nm'),
};

function draw(canvas) {
  const before = Chart.getChart(canvas);
  if (before) before.destroy();
  canvas.parentNode.classList.toggle('many', boxes.filter((box) => box.checked).length > FewBars);
  new Chart(canvas, makers[canvas.dataset.chart](page.kernels[canvas.dataset.of], canvas.parentNode));
}

const isUnfolded = (canvas) => canvas.closest('details:not([open])') === null;

const canvases = [...document.querySelectorAll('canvas')];
const drawAll = () => canvases.filter(isUnfolded).forEach(draw);

document.addEventListener('toggle', (event) => {
  if (event.target.open) [...event.target.querySelectorAll('canvas')].filter((one) => !Chart.getChart(one)).forEach(draw);
}, true);
document.addEventListener('filtered', drawAll);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

/// Paper is light, and there is nothing to unfold on it.
let folded = [];
addEventListener('beforeprint', () => {
  document.documentElement.classList.add('printing');
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const details of folded) details.open = true;
  drawAll();
});
addEventListener('afterprint', () => {
  document.documentElement.classList.remove('printing');
  for (const details of folded) details.open = false;
  drawAll();
});

Chart.defaults.font.family = 'system-ui, "DejaVu Sans", sans-serif';
drawAll();
