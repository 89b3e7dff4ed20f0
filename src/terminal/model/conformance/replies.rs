//! What is answered.

use super::{SIZE, after};

const XTVERSION: &str = concat!("\x1bP>|paralane ", env!("CARGO_PKG_VERSION"), "\x1b\\");

fn check(table: &[(&str, &str, &str)]) {
    for (name, sent, reply) in table {
        assert_eq!(after(SIZE, sent.as_bytes()).replies, *reply, "{name}: {sent:?}");
    }
}

#[test]
fn attributes_and_versions() {
    check(&[
        ("DA1", "\x1b[c", "\x1b[?62;22c"),
        ("DA1 with a number", "\x1b[0c", "\x1b[?62;22c"),
        ("DECID", "\x1bZ", "\x1b[?62;22c"),
        ("DA2", "\x1b[>c", "\x1b[>1;277;0c"),
        ("DA3", "\x1b[=c", "\x1bP!|00000000\x1b\\"),
        ("XTVERSION", "\x1b[>q", XTVERSION),
        ("DECREQTPARM", "\x1b[x\x1b[1x", "\x1b[2;1;1;128;128;1;0x\x1b[3;1;1;128;128;1;0x"),
        ("an answer sent back is no question", "\x1b[?62;22c\x1b[>1;277;0c\x1b[2;2R\x1b[0n", ""),
    ]);
}

#[test]
fn status_and_cursor() {
    check(&[
        ("DSR 5", "\x1b[5n", "\x1b[0n"),
        ("CPR", "ab\r\nc\x1b[6n", "\x1b[2;2R"),
        ("CPR with a wrap pending", "abcdefghijkl\x1b[6n", "\x1b[1;12R"),
        ("CPR from the origin", "\x1b[2;4r\x1b[?6h\x1b[2;3H\x1b[6n", "\x1b[2;3R"),
        ("DECXCPR", "ab\x1b[?6n", "\x1b[?1;3R"),
        ("CPR counts what stands before it", "a\x1b[6nb\x1b[6n", "\x1b[1;2R\x1b[1;3R"),
        (
            "printer, keys, keyboard, locator",
            "\x1b[?15n\x1b[?25n\x1b[?26n\x1b[?55n",
            "\x1b[?13n\x1b[?21n\x1b[?27;1;0;0n\x1b[?50n",
        ),
        ("dark or light", "\x1b[?996n", "\x1b[?997;1n"),
    ]);
}

#[test]
fn modes() {
    for mode in [1, 5, 6, 9, 12, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004, 2026, 2031] {
        let set = format!("\x1b[?{mode}h\x1b[?{mode}$p");
        let reset = format!("\x1b[?{mode}h\x1b[?{mode}l\x1b[?{mode}$p");
        assert_eq!(after(SIZE, set.as_bytes()).replies, format!("\x1b[?{mode};1$y"));
        assert_eq!(after(SIZE, reset.as_bytes()).replies, format!("\x1b[?{mode};2$y"));
    }
    check(&[
        ("wrap", "\x1b[?7$p\x1b[?7l\x1b[?7$p", "\x1b[?7;1$y\x1b[?7;2$y"),
        ("alternate scroll", "\x1b[?1007$p\x1b[?1007l\x1b[?1007$p", "\x1b[?1007;1$y\x1b[?1007;2$y"),
        ("clusters, always", "\x1b[?2027$p", "\x1b[?2027;3$y"),
        ("pixels and in-band sizes, unknown", "\x1b[?1016$p\x1b[?2048$p", "\x1b[?1016;0$y\x1b[?2048;0$y"),
        ("a saved cursor", "\x1b[?1048$p\x1b7\x1b[?1048$p", "\x1b[?1048;2$y\x1b[?1048;1$y"),
        (
            "ANSI modes",
            "\x1b[4$p\x1b[4h\x1b[4$p\x1b[20$p\x1b[2$p\x1b[99$p",
            "\x1b[4;2$y\x1b[4;1$y\x1b[20;2$y\x1b[2;4$y\x1b[99;0$y",
        ),
        ("any end of tracking ends it", "\x1b[?1000;1002h\x1b[?1000l\x1b[?1002$p", "\x1b[?1002;2$y"),
        (
            "after a reset",
            "\x1b[?2004;1004;2031h\x1bc\x1b[?2004$p\x1b[?1004$p\x1b[?2031$p",
            "\x1b[?2004;2$y\x1b[?1004;2$y\x1b[?2031;2$y",
        ),
    ]);
}

#[test]
fn sizes() {
    check(&[
        ("pixels", "\x1b[14t", "\x1b[4;80;96t"),
        ("a cell's pixels", "\x1b[16t", "\x1b[6;16;8t"),
        ("cells", "\x1b[18t", "\x1b[8;5;12t"),
        ("cells of the whole", "\x1b[19t", "\x1b[9;5;12t"),
    ]);
}

#[test]
fn colours() {
    let palette: String = (0..16).fold(String::new(), |text, index| text + &format!(";{index};?"));
    let reply = after(SIZE, format!("\x1b]4{palette}\x1b\\").as_bytes()).replies;
    assert_eq!(reply.matches("\x1b]4;").count(), 16);
    check(&[
        (
            "text and background",
            "\x1b]10;?\x1b\\\x1b]11;?\x1b\\",
            "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\\x1b]11;rgb:1212/1212/1212\x1b\\",
        ),
        ("both in one", "\x1b]10;?;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07\x1b]11;rgb:1212/1212/1212\x07"),
        ("cursor", "\x1b]12;?\x1b\\", "\x1b]12;rgb:d0d0/d0d0/d0d0\x1b\\"),
        (
            "mouse and highlight",
            "\x1b]13;?\x07\x1b]17;?\x07\x1b]19;?\x07",
            "\x1b]13;rgb:d0d0/d0d0/d0d0\x07\x1b]17;rgb:d0d0/d0d0/d0d0\x07\x1b]19;rgb:d0d0/d0d0/d0d0\x07",
        ),
        ("palette", "\x1b]4;1;?;231;?\x1b\\", "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\\x1b]4;231;rgb:ffff/ffff/ffff\x1b\\"),
        ("no questions", "\x1b]4;900;?\x07\x1b]4;1\x07\x1b]4\x07", ""),
    ]);
}

#[test]
fn device_control_strings() {
    check(&[
        ("DECRQSS SGR", "\x1b[1;4:3;38;2;1;2;3;9m\x1bP$qm\x1b\\", "\x1bP1$r0;1;4;38;2;1;2;3;4:3;9m\x1b\\"),
        ("DECRQSS DECSTBM", "\x1b[2;4r\x1bP$qr\x1b\\", "\x1bP1$r2;4r\x1b\\"),
        ("DECRQSS DECSCUSR", "\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\"),
        ("DECRQSS of something else", "\x1bP$qz\x1b\\", "\x1bP0$r\x1b\\"),
        ("XTGETTCAP Ms", "\x1bP+q4d73\x1b\\", "\x1bP1+r4d73=1B5D35323B25703125733B25703225731B5C\x1b\\"),
        (
            "XTGETTCAP of two",
            "\x1bP+q544e;7878\x1b\\",
            "\x1bP1+r544e=787465726D2D323536636F6C6F72\x1b\\\x1bP0+r7878\x1b\\",
        ),
        ("XTGETTCAP RGB", "\x1bP+q524742\x1b\\", "\x1bP1+r524742=382F382F38\x1b\\"),
        ("XTGETTCAP Tc", "\x1bP+q5463\x1b\\", "\x1bP1+r5463\x1b\\"),
        ("XTGETTCAP of nonsense", "\x1bP+qxyz\x1b\\", "\x1bP0+r\x1b\\"),
        ("cancelled", "\x1bP+q524742\x18\x1bP$qm\x1a", ""),
    ]);
}

#[test]
fn batches_are_answered_in_their_order() {
    check(&[
        (
            "claude's",
            "\x1b[>q\x1b[?u\x1b[16t\x1b[?2026$p\x1b_Gi=1,a=q;AAAA\x1b\\\x1b[c",
            concat!(
                "\x1bP>|paralane ",
                env!("CARGO_PKG_VERSION"),
                "\x1b\\\x1b[?0u\x1b[6;16;8t\x1b[?2026;2$y\x1b[?62;22c"
            ),
        ),
        (
            "opencode's",
            "\x1b[?1016$p\x1b[?2027$p\x1b[?2031$p\x1bP+q4d73\x1b\\\x1b]66;w=1; \x1b\\\x1b[6n\x1b[14t\x1b[?u\x1b[c",
            "\x1b[?1016;0$y\x1b[?2027;3$y\x1b[?2031;2$y\x1bP1+r4d73=1B5D35323B25703125733B25703225731B5C\x1b\\\
             \x1b[1;1R\x1b[4;80;96t\x1b[?0u\x1b[?62;22c",
        ),
        (
            "codex's",
            "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[>7u\x1b[?u\x1b[c\x1b[6n",
            "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\\x1b]11;rgb:1212/1212/1212\x1b\\\x1b[?7u\x1b[?62;22c\x1b[1;1R",
        ),
    ]);
}
