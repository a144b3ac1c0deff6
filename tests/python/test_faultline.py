#!/usr/bin/python3
"""The Python module reads what the tools write, refuses what is not whole or of another origin, and applies models as they say.

test_faultline.py BUILD: uses the tools, the module and the netlists of this build, in a folder of its own."""
import gzip
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(sys.argv.pop())
SOURCE = os.path.abspath(os.path.dirname(__file__) + "/../..")
sys.path.insert(0, BUILD + "/lib/python3/dist-packages")
import faultline
import numpy

JOB, NETLISTS = BUILD + "/bench/vecadd.job.xml", BUILD + "/gates"


def run(*words):
    subprocess.run([BUILD + "/bin/" + words[0], *words[1:]], check=True, stdout=subprocess.DEVNULL)


def sealed(name, lines):
    text = "".join(lines)
    with open(name, "w") as file:
        file.write(text + "# sha256=" + hashlib.sha256(text.encode()).hexdigest() + "\n")
    return name


MODEL = [
    "# faultline 0.2.0 results=" + faultline.RESULTS + " model=gate netlist=alu_fp:12ab engine=c checked=proved\n",
    "# job=a profile=g80 sps=8 sha256=00 cubin=00\n",
    "# population unit=alu_fp faults=40\n",
    "id,operation,vectors,uses,wrong_vectors,wrong_uses,d_up,d_down,flags_up,flags_down,masks,mask_d,mask_flags,mask_uses,rule\n",
    "gate/alu_fp/n1:sa1,FADD,9,9,9,9,00000003,00000000,0,0,1,00000003,0,9,set\n",
    "gate/alu_fp/n1:sa1,FMUL,9,9,9,9,00000000,80000000,0,0,1,80000000,0,9,clear\n",
    "gate/alu_fp/n2:sa0,FADD,9,8,9,2,00000010,00000010,0,0,1,00000010,0,2,other\n",
]


class InFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        os.chdir(cls.work.name)
    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.work.cleanup()

    def refused(self, says, call, *args, **named):
        with self.assertRaises(faultline.Refused) as raised:
            call(*args, **named)
        self.assertIn(says, str(raised.exception))



class Files(InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("faultsim", "transient", "--target", "rf", "--sample", "300", "--quiet", "--store", "s.db", "--csv", "avf.csv",
            "--csv-faults", "faults.csv", "--xml", "avf.xml", "--words", "words.npy", JOB)  # fmt: skip

    def test_csv_store_and_xml_tell_the_same(self):
        t, s, x = faultline.read_csv("faults.csv"), faultline.read_store("s.db"), faultline.read_xml("avf.xml")
        i = s["injections"]
        self.assertEqual((t.rows, i.rows), (300, 300))
        self.assertEqual(list(t["id"]), list(i["id"]))
        self.assertEqual(list(t["outcome"]), list(i["outcome"]))
        wrong = t["outcome"] == "sdc"
        self.assertGreater(wrong.sum(), 3)
        numpy.testing.assert_array_equal(t["elements"][wrong], i["elements"][wrong])
        self.assertTrue(numpy.isnan(t["elements"][~wrong]).all())
        self.assertEqual(t.made.jobs[0]["sha256"], s.made.jobs[0]["sha256"])
        self.assertEqual(x["job"]["name"][0], "vecadd")
        self.assertEqual(t.made.jobs[0]["profile"], faultline.read_xml("avf.xml", profile=t.made.jobs[0]["profile"])["job"]["profile"][0])
        self.assertEqual(faultline.read_csv("avf.csv")["sdc"][0], wrong.sum())
        self.assertEqual(t.made.words["seed"], "1")
        with self.assertRaises(KeyError):
            s["nothing"]

    def test_what_is_cut_short_is_refused_by_name(self):
        for name, read in (("faults.csv", faultline.read_csv), ("avf.xml", faultline.read_xml), ("s.db", faultline.read_store)):
            with open(name, "rb") as file:
                data = file.read()
            for size in (0, len(data) // 3, len(data) // 2, data[:-1].rfind(b"\n") + 1, len(data) - 2):
                with open("cut", "wb") as file:
                    file.write(data[:size])
                with self.subTest(name=name, size=size, of=len(data)):
                    self.refused("cut", read, "cut")

    def test_a_csv_has_the_faults_that_its_first_line_says(self):
        with open("faults.csv") as file:
            text = file.read()
        head = text[: text.index("\n", text.index("\njob,") + 1) + 1]
        for says, data in ((0, text), (300, head), (200, text)):
            with open("bad", "w") as file:
                file.write(data.replace("flips=300", f"flips={says}"))
            self.refused(f"its first line says {says}; the file is cut short or joined", faultline.read_csv, "bad")
        with open("none", "w") as file:
            file.write(head.replace("flips=300", "flips=0"))
        self.assertEqual(faultline.read_csv("none").rows, 0)
        for data in (gzip.compress(text.encode())[:-20], b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff\xff"):
            with open("bad.gz", "wb") as file:
                file.write(data)
            self.refused("bad.gz: ", faultline.read_csv, "bad.gz")
        with open("bad", "wb") as file:
            file.write(b"# faultline \xff\xfe\n")
        self.refused("bad: ", faultline.read_csv, "bad")

    def test_what_is_of_another_origin_is_refused_by_name(self):
        jobs = [job["sha256"] for job in faultline.read_csv("faults.csv").made.jobs]
        for name, read in (("faults.csv", faultline.read_csv), ("avf.xml", faultline.read_xml), ("s.db", faultline.read_store)):
            read(name, profile=faultline.read_csv("faults.csv").made.jobs[0]["profile"], jobs=jobs)
            self.refused(name + ": is of the profile", read, name, profile="other")
            self.refused(name + ": is of results", read, name, results="0.0")
            self.refused(name + ": is of the netlists", read, name, netlist="12ab")
            self.refused(name + ": is of other jobs", read, name, jobs=["00"])
        self.refused("words.npy: is of the profile", faultline.read_words, "words.npy", profile="other")
        self.refused("words.npy: is of results", faultline.read_words, "words.npy", results="0.0")
        self.refused("words.npy: is of the netlists", faultline.read_words, "words.npy", netlist="12ab")
        self.refused("words.npy: is of other jobs", faultline.read_words, "words.npy", jobs=["00"])
        self.refused("is no export", faultline.read_csv, JOB)
        self.refused("is no export", faultline.read_xml, JOB)
        self.refused("file is not a database", faultline.read_store, JOB)
        with open("s.db", "rb") as file, open("later", "wb") as later:
            data = bytearray(file.read())
            data[60:64] = (99).to_bytes(4, "big")
            later.write(data)
        self.refused("later: has format 99", faultline.read_store, "later")

    def test_each_wrong_element_is_a_row_of_the_words(self):
        t = faultline.read_csv("faults.csv")
        words, made = faultline.read_words("words.npy", results=t.made.words["results"], jobs=[job["sha256"] for job in t.made.jobs])
        self.assertEqual(made.jobs, t.made.jobs)
        for fault in numpy.unique(words["fault"]):  # the pattern of a fault has the lanes of its words
            at = (words["fault"] == fault) & (words["pc"] != 0xFFFFFFFF)
            self.assertEqual(t["lanes"][fault], sum(1 << int(lane) for lane in set(words["lane"][at])))
        count = numpy.bincount(words["fault"], minlength=t.rows)
        numpy.testing.assert_array_equal(count, numpy.nan_to_num(t["elements"]))
        self.assertTrue((words["right"] != words["wrong"]).all())
        self.assertLess(words["lane"][words["pc"] != 0xFFFFFFFF].max(), 32)

    def test_words_are_rows_and_their_provenance(self):
        kind = [("fault", "u4"), ("output", "u2"), ("index", "u4"), ("right", "u4"), ("wrong", "u4"), ("launch", "u2"), ("block", "u4"),
                ("warp", "u1"), ("lane", "u1"), ("pc", "u4")]  # fmt: skip
        rows = numpy.zeros(3, kind)
        rows["wrong"] = 5, 6, 7
        made = b"# faultline 0.2.0 results=0.3 model=transient seed=1\n# job=a profile=g80 sps=8 sha256=12 cubin=34\n"
        head = f"{{'descr': {rows.dtype.descr}, 'fortran_order': False, 'shape': (3,), }} # faultline words=1 provenance={len(made)}"
        head += " " * (-(len(head) + 11) % 64) + "\n"
        whole = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + rows.tobytes() + made
        with open("w.npy", "wb") as file:
            file.write(whole)
        read, of = faultline.read_words("w.npy", profile="g80", jobs=["12"])
        numpy.testing.assert_array_equal(read, rows)
        self.assertEqual(of.words["seed"], "1")
        self.refused("w.npy: is of the profile", faultline.read_words, "w.npy", profile="tiny")
        later = whole.replace(b"words=1 ", b"words=2 ")
        for data, says in ((whole[:-1], "bad: "), (whole[:300], "bad: "), (whole[:60], "is no file of --words"), (whole + whole, "bad: "),
                           (later, "has format 2"), (b"", "is no file of --words")):  # fmt: skip
            with open("bad", "wb") as file:
                file.write(data)
            self.refused(says, faultline.read_words, "bad")

    def test_pandas_has_the_columns(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas (scripts/setup --python)")
        frame = faultline.read_csv("faults.csv").frame()
        self.assertEqual(frame.shape[0], 300)
        self.assertEqual(frame.groupby("outcome").size()["masked"], (frame.outcome == "masked").sum())
        self.assertTrue(pandas.api.types.is_float_dtype(frame.elements))


class Models(InFolder):
    def test_a_rule_changes_the_lanes_of_its_sp_as_it_says(self):
        m = faultline.Model.load(sealed("m", MODEL))
        x = numpy.arange(-32, 32, dtype="f4") + numpy.float32(0.5)
        f = m.fault("gate/alu_fp/n1:sa1", sp=3)
        at = numpy.arange(64) % 8 == 3
        y = f("FADD", x)
        numpy.testing.assert_array_equal(y.view("u4"), numpy.where(at, x.view("u4") | 3, x.view("u4")))
        numpy.testing.assert_array_equal(f("FMUL", x), numpy.where(at, abs(x), x))
        numpy.testing.assert_array_equal(f("FMAD", x), x)
        n = numpy.arange(64, dtype="i4")
        z = f("FADD", n)
        self.assertEqual(z.dtype, n.dtype)
        numpy.testing.assert_array_equal(z, numpy.where(at, n | 3, n))
        numpy.testing.assert_array_equal(f("FADD", n, 11), n | 3)
        numpy.testing.assert_array_equal(f("FADD", n, 12), n)
        with self.assertRaises(TypeError):
            f("FADD", x.astype("f8"))

    def test_other_rules_hold_in_their_share_of_the_uses(self):
        f = faultline.Model.load(sealed("m", MODEL)).fault("gate/alu_fp/n2:sa0", 0, numpy.random.default_rng(1))
        x = numpy.ones(8000, "f4")
        wrong = f("FADD", x, 0) != x
        self.assertAlmostEqual(wrong.mean(), 0.25, delta=0.02)
        self.assertEqual(set(f("FADD", x, 0).view("u4") ^ x.view("u4")), {0, 0x10})

    def test_a_draw_is_one_of_the_population(self):
        m = faultline.Model.load(sealed("m", MODEL))
        rng = numpy.random.default_rng(1)
        drawn = [m.draw(rng) for _ in range(4000)]
        self.assertAlmostEqual(sum(f.id is not None for f in drawn) / 4000, 2 / 40, delta=0.02)
        self.assertEqual({f.sp for f in drawn}, set(range(8)))
        again = numpy.random.default_rng(1)
        self.assertEqual([(f.id, f.sp) for f in drawn[:50]], [(f.id, f.sp) for f in (m.draw(again) for _ in range(50))])

    def test_lanes_are_those_of_the_machine(self):
        numpy.testing.assert_array_equal(faultline.lanes((3, 20)), (numpy.arange(60) % 32).reshape(3, 20))
        numpy.testing.assert_array_equal(faultline.lanes((4, 32), (16, 16))[:3, :18], [
            [*range(16), 0, 1], [*range(16, 32), 16, 17], [*range(16), 0, 1]])  # fmt: skip
        with self.assertRaises(ValueError):
            faultline.lanes((4, 4), (16,))

    def test_lanes_of_a_kernel_are_those_that_wrote_its_elements(self):
        run("faultsim", "stuck-at", "--target", "rf", "--sample", "60", "--quiet", "--words", "gemm.npy", BUILD + "/bench/gemm64.job.xml")
        words, _ = faultline.read_words("gemm.npy")
        self.assertGreater(len(set(words["lane"])), 8)
        numpy.testing.assert_array_equal(words["lane"], faultline.lanes((64, 64), (16, 16)).ravel()[words["index"]])

    def test_matmul_without_a_fault_is_the_product(self):
        a, b = numpy.arange(12, dtype="f4").reshape(3, 4), numpy.arange(20, dtype="f4").reshape(4, 5)
        numpy.testing.assert_array_equal(faultline.matmul(a, b, faultline.none()), a @ b)
        f = faultline.Model.load(sealed("m", MODEL)).fault("gate/alu_fp/n1:sa1", 2)
        wrong = (faultline.matmul(a, b, f) != a @ b).any(0)
        self.assertTrue(wrong[2])
        self.assertFalse(wrong[[0, 1, 3, 4]].any())

    def test_models_that_are_not_whole_or_of_another_origin_are_refused(self):
        self.refused("m: is of the profile g80, and tiny", faultline.Model.load, sealed("m", MODEL), profile="tiny")
        self.refused("m: is of the netlists alu_fp:12ab", faultline.Model.load, "m", netlist="12ac")
        self.refused("m: is of results 0.0", faultline.Model.load, sealed("m", [MODEL[0].replace("results=" + faultline.RESULTS, "results=0.0"), *MODEL[1:]]))
        sealed("m", MODEL)
        with open("m") as file:
            text = file.read()
        for change, says in ((text[:-9], "cut short"), (text[: len(text) // 2], "cut short"), (text.replace("n2:", "n3:"), "has been changed")):
            with open("bad", "w") as file:
                file.write(change)
            self.refused("bad: ", faultline.Model.load, "bad")
            self.refused(says, faultline.Model.load, "bad")
        sealed("m", [line.replace("alu_fp", "alu_odd") for line in MODEL])
        self.refused("m: models of alu_odd are not known to predict other programs better", faultline.Model.load, "m")
        faultline.Model.load("m", any_unit=True)

    def test_models_are_offered_of_the_units_for_which_they_were_measured_to_predict(self):
        with open(SOURCE + "/results/patterns/patterns.md") as page:
            offered = re.findall(r"^\| (\w+) \| yes \|", page.read(), re.M)
        self.assertEqual(set(offered), set(faultline.PREDICTIVE))

    def test_syndromes_of_a_netlist_are_a_model(self):
        if not os.path.exists(NETLISTS + "/alu_cvt.blif"):
            self.skipTest("no netlists in this build (scripts/setup --rtl)")
        run("faultsim", "gate", "--unit", "alu_cvt", "--netlists", NETLISTS, "--quiet", "--syndromes", "cvt", JOB)
        m = faultline.Model.load("cvt", any_unit=True, profile=faultline.read_csv("cvt").made.jobs[0]["profile"])
        self.assertGreater(m.population, len(m.ids))
        self.assertGreater(len(m.ids), 10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
