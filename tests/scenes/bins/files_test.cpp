#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "gpu/files/npy.h"
#include "tests/files/files.h"
#include "tests/scenes/bins/bins.h"

namespace warploom {
namespace {

/// 300 atoms whose coordinates the formats write without loss.
struct Molecule {
  struct Atom {
    const char* symbol;
    float x, y, z, charge, radius;
  };
  std::vector<Atom> atoms;
  Molecule() {
    std::mt19937 random(3);
    const auto thousandths = [&](int most) { return float(int(random() % unsigned(2 * most)) - most) / 1000; };
    constexpr const char* symbols[] = {"H", "C", "N", "O", "P", "S", "Fe"};
    for (int i = 0; i < 300; ++i)
      atoms.push_back({symbols[random() % 7], thousandths(9000), thousandths(9000), thousandths(9000), thousandths(900),
                       1 + float(random() % 900) / 1000});
  }
};

double charge_of(const std::string& symbol) {
  const std::map<std::string, double> known{{"H", .2}, {"C", .1}, {"N", -.4}, {"O", -.5}, {"P", 1}, {"S", -.1}};
  return known.contains(symbol) ? known.at(symbol) : 0;
}
double radius_of(const std::string& symbol) {
  const std::map<std::string, double> known{{"H", 1.2}, {"N", 1.55}, {"O", 1.52}, {"P", 1.8}, {"S", 1.8}};
  return known.contains(symbol) ? known.at(symbol) : 1.7;
}

class BinFiles : public FileTest {
 protected:
  std::shared_ptr<const BinProblem> open(const std::string& application, const std::string& file) {
    return make_bin_problem(
        {.application = application, .input = file, .spacing = application == "cutcp" ? 3. : 0, .folder = folder});
  }
  template <class Value>
  void npy(const std::string& name, const char* type, std::uint64_t columns, const std::vector<Value>& values) {
    write_npy(folder / name, type, {values.size() / columns, columns}, values.data(), values.size() * sizeof(Value));
  }
};

TEST_F(BinFiles, MoleculesAreReadToTheBit) {
  const Molecule molecule;
  std::string pdb, pqr, xyz = "300\na comment\n";
  int number = 0;
  for (const auto& atom : molecule.atoms) {
    ++number;
    pdb += fmt::format("ATOM  {:5} {:<4} MOL A{:4}    {:8.3f}{:8.3f}{:8.3f}{:6.2f}{:6.2f}          {:>2}\n", number,
                       atom.symbol, 1, atom.x, atom.y, atom.z, 1., 0., atom.symbol);
    pqr += fmt::format("ATOM {} {} MOL 1 {} {} {} {} {}\n", number, atom.symbol, atom.x, atom.y, atom.z, atom.charge,
                       atom.radius);
    xyz += fmt::format("{} {} {} {}\n", atom.symbol, atom.x, atom.y, atom.z);
  }
  write("m.pdb", pdb + "END\n");
  write("m.pqr", pqr);
  write("m.xyz", xyz);
  for (const char* application : {"cutcp", "blinn", "nbody"})
    for (const char* file : {"m.pdb", "m.pqr", "m.xyz"}) {
      SCOPED_TRACE(std::string(application) + " " + file);
      const auto problem = open(application, file);
      ASSERT_EQ(problem->input.count(), 300u);
      const bool told = std::string(file) == "m.pqr", radii = std::string(application) == "blinn";
      for (std::size_t i = 0; i < 300; ++i) {
        const auto& atom = molecule.atoms[i];
        const float* element = &problem->input.elements[4 * i];
        ASSERT_EQ(element[0], atom.x);
        ASSERT_EQ(element[1], atom.y);
        ASSERT_EQ(element[2], atom.z);
        const float fourth = std::string(application) == "nbody" ? 1
                             : radii                             ? (told ? atom.radius : float(radius_of(atom.symbol)))
                                                                 : (told ? atom.charge : float(charge_of(atom.symbol)));
        ASSERT_EQ(element[3], fourth) << "atom " << i << ", " << atom.symbol;
      }
    }
}

TEST_F(BinFiles, ChargesFollowTheElementHoweverItIsWritten) {
  const std::vector<std::pair<const char*, double>> atoms{
      {"7", -.4}, {"N1", -.4}, {"C_a", .1}, {"C12", .1}, {"O1-", -.5}, {"D", .2}, {"1", .2},
      {"p", 1},   {"NA", 0},   {"Cl-", 0},  {"X", 0},    {"118", 0},   {"Ca", 0}, {"s", -.1}};
  std::string xyz = fmt::format("{}\n\n", atoms.size());
  int place = 0;
  for (const auto& [symbol, charge] : atoms) xyz += fmt::format("{} {} 0 0\n", symbol, ++place);
  write("a.xyz", xyz);
  const auto problem = open("cutcp", "a.xyz");
  for (std::size_t i = 0; i < atoms.size(); ++i)
    EXPECT_EQ(problem->input.elements[4 * i + 3], float(atoms[i].second)) << atoms[i].first;
  EXPECT_EQ(problem->input.without_charge, 5u);
  std::string remarks;
  for (const auto& line : problem->input.remarks) remarks += line + "; ";
  expect_parts(remarks, {"14 atoms", "5 atoms of other elements than H, C, N, O, P and S: no charge"});
}

TEST_F(BinFiles, AtomsWithoutARadiusAddNothingToASurface) {
  const std::string rest = "ATOM 1 N SER 1 1 2 3 -0.3 1.55\nATOM 2 CA SER 1 2.5 2 3 0.1 1.7\n",
                    last = "ATOM 4 O SER 1 2.25 4.5 3 -0.5 1.52\n";
  write("all.pqr", rest + "ATOM 3 H SER 1 1.5 3 3.25 0.25 0.0000\n" + last);
  write("three.pqr", rest + last);
  npy<float>("rows.npy", "<f4", 4, {1, 2, 3, 1.55f, 0, 0, 0, -0.f, 2.5, 2, 3, 1.7f, 9, 9, 9, 0, 2.25, 4.5, 3, 1.52f});
  const auto three = open("blinn", "three.pqr");
  for (const auto& [file, left_out] :
       {std::pair{"all.pqr", "1 atom of radius 0"}, {"rows.npy", "2 atoms of radius 0"}}) {
    const auto problem = open("blinn", file);
    EXPECT_EQ(problem->input.elements, three->input.elements);
    expect_parts(problem->input.remarks.back(), {left_out});
  }
  EXPECT_EQ(open("cutcp", "all.pqr")->input.count(), 4u);
}

TEST_F(BinFiles, PlacesInTheGridAreRoundedOnce) {
  std::vector<double> samples;
  for (int i = 1; i <= 40; ++i)
    for (const double value : {i * .01 + 1e-9, -i * .013, 2. / i, 1., 0.}) samples.push_back(value);
  npy("d.npy", "<f8", 5, samples);
  const auto problem = open("mri", "d.npy");
  const double side = problem->space.lattice.points.x;
  int twice = 0;
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      const double k = samples[5 * i + a];
      ASSERT_EQ(problem->input.elements[6 * i + a], float(side / 2 + 2 * k)) << i;
      twice += float(side / 2 + 2 * k) != float(side / 2 + 2 * double(float(k)));
    }
  EXPECT_GT(twice, 0) << "else rounding twice would pass, too";
}

TEST_F(BinFiles, ArraysOfEveryWidthAreReadToTheBit) {
  std::mt19937 random(4);
  for (const std::uint64_t columns : {3, 4, 5, 6, 7}) {
    std::vector<float> values(columns * 50);
    for (auto& value : values) value = float(int(random() % 4000) - 2000) / 512;
    const std::vector<double> wide(values.begin(), values.end());
    npy("f.npy", "<f4", columns, values);
    npy("d.npy", "<f8", columns, wide);
    for (const char* file : {"f.npy", "d.npy"})
      for (const char* application : {"cutcp", "blinn", "nbody", "mri"}) {
        SCOPED_TRACE(fmt::format("{}, {} columns, {}", application, columns, file));
        const std::string name = application;
        const bool taken = name == "mri" ? columns == 5 || columns == 6
                                         : columns == 3 || columns == 4 || (columns == 7 && name == "nbody");
        if (!taken) {
          expect_parts(message_of<FileError>([&] { open(name, file); }), {file, "n x"});
          continue;
        }
        if (name == "blinn" && columns == 4) {  // radii of 0 and less are among them
          expect_parts(message_of<FileError>([&] { open(name, file); }), {file, "row", "radius"});
          continue;
        }
        const auto problem = open(name, file);
        ASSERT_EQ(problem->input.count(), 50u);
        for (std::size_t i = 0; i < 50; ++i) {
          const float *row = &values[i * columns], *element = &problem->input.elements[i * problem->input.width];
          if (name == "mri") {
            // The smallest legal grid that holds 5 times the furthest.
            const double side = problem->space.lattice.points.x;
            ASSERT_EQ(side, 20);
            for (int a = 0; a < 3; ++a) ASSERT_EQ(element[a], float(side / 2 + 2 * double(row[a])));
            ASSERT_EQ(element[3], row[3]);
            ASSERT_EQ(element[4], row[4]);
            ASSERT_EQ(element[5], columns == 6 ? row[5] : 1);
            continue;
          }
          for (int a = 0; a < 3; ++a) ASSERT_EQ(element[a], row[a]);
          ASSERT_EQ(element[3], columns > 3 ? row[3] : name == "blinn" ? 1.7f : 1);
          if (columns != 7) continue;
          for (std::size_t a = 0; a < 3; ++a) ASSERT_EQ(problem->input.velocities[3 * i + a], row[4 + a]);
        }
      }
  }
}

TEST_F(BinFiles, AShuffledFileGivesTheSameOutputs) {
  std::mt19937 random(9);
  std::vector<float> values;
  for (int i = 0; i < 200; ++i)
    for (int a = 0; a < 4; ++a) values.push_back(float(random() % 10000) / 1000);
  std::vector<std::size_t> order(200);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<float> shuffled;
  for (const std::size_t i : order) shuffled.insert(shuffled.end(), &values[4 * i], &values[4 * i] + 4);
  npy("a.npy", "<f4", 4, values);
  npy("b.npy", "<f4", 4, shuffled);
  Queue queue(Backend::cpu);
  std::vector<std::vector<std::uint32_t>> counts;
  std::vector<std::vector<float>> outputs;
  for (const char* file : {"a.npy", "b.npy"}) {
    const auto simulation = bins_simulation(queue, open("cutcp", file), {"compact/range"}, 1);
    const Dumped dump(simulation->track(0), queue);
    counts.push_back(dump.of<std::uint32_t>("counts"));
    outputs.push_back(dump.of<float>("output"));
  }
  EXPECT_EQ(counts[0], counts[1]);
  EXPECT_LE(relative_difference(outputs[1], outputs[0]), 1e-5);
}

TEST_F(BinFiles, WhatIsWrongIsNamed) {
  npy<float>("nan.npy", "<f4", 4, {0, 0, 0, 1, 1, NAN, 0, 1});
  npy<float>("charge.npy", "<f4", 4, {0, 0, 0, 1, 1, 1, 0, INFINITY});
  npy<double>("velocity.npy", "<f8", 7, {0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, NAN, 0});
  npy<float>("radius.npy", "<f4", 4, {0, 0, 0, 1, 1, 1, 0, -1});
  npy<float>("no_radius.npy", "<f4", 4, {0, 0, 0, 0, 1, 1, 0, 0});
  npy<float>("none.npy", "<f4", 4, {});
  npy<float>("two.npy", "<f4", 2, {0, 0});
  write("cut.pdb", "ATOM      1  O   HOH A   1       0.0");
  write("cut.pqr", "ATOM 1 O HOH 1 0 0 0 1\n");
  write("cut.npy", "\x93NUMPY");
  write("words.pqr", "ATOM 1 O HOH 1 0 0 0 much 1\n");
  const auto said = [&](const std::string& application, const std::string& file) {
    return message_of<FileError>([&] { open(application, file); });
  };
  expect_parts(said("cutcp", "nan.npy"), {"nan.npy", "point 1", "axis y", "NaN"});
  expect_parts(said("cutcp", "charge.npy"), {"charge.npy", "point 1", "column 3"});
  expect_parts(said("nbody", "velocity.npy"), {"velocity.npy", "point 1", "column 5"});
  expect_parts(said("blinn", "radius.npy"), {"radius.npy", "row 1", "radius of -1"});
  expect_parts(said("blinn", "no_radius.npy"), {"no_radius.npy", "none of its 2 atoms"});
  expect_parts(said("cutcp", "none.npy"), {"none.npy", "no points"});
  expect_parts(said("cutcp", "two.npy"), {"two.npy", "n x 3 or n x 4"});
  expect_parts(said("cutcp", "cut.pdb"), {"cut.pdb:1"});
  expect_parts(said("cutcp", "cut.pqr"), {"cut.pqr:1"});
  expect_parts(said("cutcp", "words.pqr"), {"words.pqr:1", "point 0", "charge", "much"});
  expect_parts(said("mri", "cut.npy"), {"cut.npy"});
  expect_parts(said("cutcp", "absent.pdb"), {"absent.pdb", "no such file"});
  expect_parts(said("cutcp", "a.gro"), {"a.gro", ".gro", ".pqr"});
  expect_parts(said("mri", "m.pdb"), {"m.pdb", ".npy"});
  EXPECT_NE(message_of<UsageError>([&] { open("cutcp", "demonstration"); }).find("demonstration"), std::string::npos);
}

}  // namespace
}  // namespace warploom
